-- Every value of a column with a closed enum is one of the contract's.
{{- tidegate.gate_config() }}
{{ config(meta={"tidegate": {"family": "discovery"}}) }}
{{ tidegate.outside_closed_enums([ref("q_discovery_entities"), ref("q_search_documents")]) }}
