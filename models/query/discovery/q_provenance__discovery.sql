-- A row that points at a published row has the receipts of that row, and of its facts those behind
-- which an overlay is.
{%- set owners = [
    ref("q_provenance__spines"),
    ref("q_provenance__clinical_trials"),
    ref("q_provenance__publications"),
    ref("q_provenance__approvals"),
    ref("q_provenance__development"),
    ref("q_provenance__news"),
] %}
{%- set pointing = [
    ("q_discovery_entities", ref("q_discovery_entities"), "discovery_key"),
    ("q_search_documents", ref("q_search_documents"), "search_row_key"),
] %}
with
    receipts as (
        {%- for owner in owners %}
            select {{ tidegate.receipt_but("receipt", {}) }}
            from {{ tidegate.published(owner) }} as receipt
            where receipt.fact_path = '$row' or receipt.curation_overlay_key is not null
            {% if not loop.last %}
                union all
            {% endif %}
        {%- endfor %}
    ),

    pointers as (
        {%- for model_name, relation, key in pointing %}
            select
                {{ tidegate.literal(model_name) }}::text as model_name,
                {{ tidegate.row_key([key], "pointing") }} as row_key,
                pointing.source_q_model_name,
                pointing.source_q_row_key
            from {{ relation }} as pointing
            {% if not loop.last %}
                union all
            {% endif %}
        {%- endfor %}
    ),

    final as (
        select
            {{ tidegate.receipt_of_made(
                "pointers", "receipts", "receipts.receipt_key", {"fact_path": "'$row'::text"}
            ) }}
        from pointers
        inner join
            receipts
            on receipts.model_name = pointers.source_q_model_name
            and receipts.row_key = pointers.source_q_row_key
    )

select *
from final
