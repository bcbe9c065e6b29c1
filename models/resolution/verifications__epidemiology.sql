-- Verdicts about the candidates of this slice.
{{ tidegate.verification_rows(ref("candidates__epidemiology")) }}
