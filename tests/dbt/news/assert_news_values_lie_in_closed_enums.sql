-- Every value of a column with a closed enum is one of the contract's.
{{- tidegate.gate_config() }}
{{ config(meta={"tidegate": {"family": "news"}}) }}
{{ tidegate.outside_closed_enums([ref("q_news_events"), ref("q_announced_results")]) }}
