{#- dbt's side of the gate: the models of this project, and the provenance of every family of it. -#}
{%- test search_provenance(model) -%}
    {%- do tidegate.reads(tidegate.provenance_names()) -%}
    {%- set gate = tidegate.judged(model, kwargs, tidegate.search_provenance_arguments()) -%}
    {%- if execute -%}
        {%- set models = [] -%}
        {%- set receipts = [] -%}
        {%- set united = adapter.get_relation(
            database=target.database, schema="query", identifier="q_provenance"
        ) -%}
        {%- for node in graph.nodes.values() if tidegate.family_of(node) and node.resource_type == "model" -%}
            {%- set relation = tidegate.relation_of(node) -%}
            {%- if relation -%} {%- do models.append(node.name) -%} {%- endif -%}
            {%- if node.name == "q_provenance__" ~ tidegate.family_of(node) -%}
                {%- if relation -%} {%- do receipts.append(relation) -%}
                {%- elif united and target.name != "ci" -%}
                    {%- set published = tidegate.models_of(tidegate.family_of(node)) -%}
                    {%- do receipts.append(tidegate.receipts_of(united, published)) -%}
                {%- endif -%}
            {%- endif -%}
        {%- endfor -%}
        {%- do gate.update({"models": models, "receipts": receipts}) -%}
        {{- tidegate.search_provenance(gate) -}}
    {%- endif -%}
{%- endtest -%}

{#- The provenance models that dbt knows while it parses. -#}
{%- macro provenance_names() -%}
    {%- set names = [] -%}
    {%- if not execute and builtins.ref.manifest -%}
        {%- for node in builtins.ref.manifest.nodes.values() if node.name.startswith("q_provenance__") -%}
            {%- do names.append(node.name) -%}
        {%- endfor -%}
    {%- endif -%}
    {{- return(names) -}}
{%- endmacro -%}
