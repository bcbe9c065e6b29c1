{#- A claim read from a document names the version of that document; translated text keeps its original
    and the version of its translation. Options: `families`, the source families of documents (none:
    all); `translated`, whether the rows hold translated text. Without the relation `artifacts` the
    judged relation itself has `version_semantics` (null under `columns`: nobody knows what a version
    is worth, so none warns); a null for `source_version_id` says that the rows hold translations
    only (then `relations` has a null for `artifacts`). -#}
{%- macro document_version(gate) -%}
    {%- set versioned = gate.columns.get("source_version_id", "") is not none -%}
    {%- set joined = versioned and "artifacts" in gate.relations -%}
    {%- set types = {"source_family": "text"} -%}
    {%- if versioned -%}
        {%- set _ = types.update({"source_version_id": "text"}) -%}
        {%- set _ = types.update({"source_artifact_key" if joined else "version_semantics": "text"}) -%}
    {%- endif -%}
    {%- if gate.options.translated -%}
        {%- for name in ["source_language", "target_language", "original_text", "translation_version"] -%}
            {%- set _ = types.update({name: "text"}) -%}
        {%- endfor -%}
    {%- endif -%}
    {%- set needed = ["source_version_id", "original_text", "translation_version"] -%}
    {%- set names = types.keys() | reject("eq", "original_text") | list -%}
    {{ tidegate.gate_rows(gate, types) }}
    {%- if joined %}
        {{
            tidegate.gate_relation(
                gate,
                "artifacts",
                {
                    "source_artifact_key": "text",
                    "source_version_id": "text",
                    "version_semantics": "text",
                },
            )
        }},
        versions as not materialized(
            select
                artifacts.*,
                artifacts.version_semantics = 'strong'
                and artifacts.source_version_id <> ''
                and artifacts.source_version_id = btrim(artifacts.source_version_id) as sound
            from artifacts
        )
    {%- endif %}
    {{ tidegate.gate_not_evaluated(gate) }}
    union all
    select
        judged.row_key,
        found.level,
        found.reason,
        {{ tidegate.gate_metadata(gate, names) }} || jsonb_build_object(
            'missing', {{ tidegate.blank_names("judged", needed | select("in", types) | list) }}
        )
    from judged
    {%- if joined %}
        left join
            versions as artifacts on artifacts.source_artifact_key = judged.source_artifact_key
    {%- endif %}
    cross join
        lateral({{ tidegate.document_version_findings(gate, versioned, joined) }}) as found(
            applies, level, reason
        )
    where
        found.applies
        and ({{ tidegate.document_version_findings(gate, versioned, joined, any=true) }})
        {%- if gate.options.families is not none %}
            and judged.source_family = any({{ tidegate.text_array(gate.options.families) }})
        {%- endif %}
{%- endmacro -%}

{#- What is wrong with one claim, as values; with `any`, whether anything can be: one look that spares
    most claims the list. A claim that repeats the version of a sound artefact, which is found once for
    all that rest on it, has the right one. -#}
{%- macro document_version_findings(gate, versioned, joined, any=false) -%}
    {%- set findings = [] -%}
    {%- set unversioned = "coalesce(btrim(judged.source_version_id), '') = ''" -%}
    {%- set weak = ("artifacts" if joined else "judged") ~ ".version_semantics is distinct from 'strong'" -%}
    {%- if versioned -%}
        {%- set _ = findings.append((unversioned, "block", "document_version_missing")) -%}
    {%- endif -%}
    {%- if versioned and (joined or gate.columns.get("version_semantics", "") is not none) -%}
        {%- set known = "not (" ~ unversioned ~ ") and " ~ weak -%}
        {%- set _ = findings.append((known, "warn", "document_version_weak")) -%}
    {%- endif -%}
    {%- if joined -%}
        {%- set absent = "artifacts.source_artifact_key is null" -%}
        {%- set differs = "nullif(btrim(judged.source_version_id), '') <> artifacts.source_version_id" -%}
        {%- set _ = findings.append((absent, "block", "artifact_missing")) -%}
        {%- set _ = findings.append((differs, "block", "document_version_differs")) -%}
        {%- if any -%}
            {%- set right = "judged.source_version_id = artifacts.source_version_id and artifacts.sound" -%}
            {%- set findings = [("(" ~ right ~ ") is not true", "", "")] -%}
        {%- endif -%}
    {%- endif -%}
    {%- if gate.options.translated -%}
        {%- set untold = "coalesce(btrim(judged.original_text), '') = ''" -%}
        {%- set untracked = (
            "coalesce(judged.target_language <> judged.source_language, true)"
            ~ " and coalesce(btrim(judged.translation_version), '') = ''"
        ) -%}
        {%- set _ = findings.append((untold, "block", "original_text_missing")) -%}
        {%- set _ = findings.append((untracked, "block", "translation_version_missing")) -%}
    {%- endif -%}
    {{- tidegate.findings(findings, any) -}}
{%- endmacro -%}

{%- macro document_version_arguments() -%}
    {{-
        {
            "relations": {"artifacts": "source_artifacts"},
            "options": {"families": none, "translated": false},
        }
        | tojson
    -}}
{%- endmacro -%}
