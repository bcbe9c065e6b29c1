"""The closed vocabularies of curation; the database has the same ones (a test compares them)."""

from __future__ import annotations

from enum import Enum


class SubjectKind(str, Enum):
    """What an overlay is about: a link, an assertion, or a row of a published model."""

    TRIAL_ARM_LINK = "trial_arm_link"
    TRIAL_INTERVENTION_DRUG = "trial_intervention_drug"
    TRIAL_CONDITION_SEGMENT = "trial_condition_segment"
    TRIAL_SPONSOR_ORG = "trial_sponsor_org"
    TRIAL_COUNTRY = "trial_country"
    TRIAL_ENDPOINT = "trial_endpoint"
    PUBLICATION_TRIAL_LINK = "publication_trial_link"
    PUBLICATION_ENDPOINT = "publication_endpoint"
    PUBLICATION_INTERVENTION = "publication_intervention"
    PUBLICATION_SEGMENT = "publication_segment"
    APPROVAL_DRUG = "approval_drug"
    APPROVAL_SEGMENT = "approval_segment"
    ORG_ALIAS = "org_alias"
    PRODUCT_DRUG = "product_drug"
    NEWS_SUBJECT = "news_subject"
    DEVELOPMENT_DRUG = "development_drug"
    DEVELOPMENT_SEGMENT = "development_segment"
    EPIDEMIOLOGY_SEGMENT = "epidemiology_segment"
    ASSERTION = "assertion"
    PUBLISHED_ROW = "published_row"

    @property
    def is_link(self) -> bool:
        """Whether the subject is a link, whose one fact is its target."""
        return self not in (SubjectKind.ASSERTION, SubjectKind.PUBLISHED_ROW)


LOW_RISK_KINDS = frozenset(
    {
        SubjectKind.TRIAL_CONDITION_SEGMENT,
        SubjectKind.TRIAL_SPONSOR_ORG,
        SubjectKind.TRIAL_COUNTRY,
        SubjectKind.PUBLICATION_SEGMENT,
        SubjectKind.ORG_ALIAS,
        SubjectKind.NEWS_SUBJECT,
    }
)
"""They decide no clinical, regulatory or commercial fact; only these may be of low impact."""

TARGET = "target_key"
"""The fact of a link."""
ROW = "$row"
"""The fact path that means a row as a whole."""


class OverlayKind(str, Enum):
    """What an overlay does to its subject."""

    OVERRIDE = "override"
    SUPPRESSION = "suppression"
    LINK_CORRECTION = "link_correction"
    MARKER = "marker"


class Impact(str, Enum):
    """High impact is in force only once a person has approved it."""

    HIGH = "high"
    LOW = "low"


class ReviewStateOfOverlay(str, Enum):
    """How far an overlay is reviewed."""

    PENDING = "pending"
    HUMAN_APPROVED = "human_approved"
    AUTO_REVIEWED = "auto_reviewed"
    NOT_REQUIRED = "not_required"
    REJECTED = "rejected"


class EventKind(str, Enum):
    """What was decided about an overlay."""

    PROPOSED = "proposed"
    HUMAN_APPROVED = "human_approved"
    AUTO_REVIEWED = "auto_reviewed"
    REJECTED = "rejected"
    SUPERSEDED = "superseded"
    WITHDRAWN = "withdrawn"


class OverlayEffect(str, Enum):
    """What a build found for an overlay in force."""

    APPLIED = "applied"
    SUBJECT_MISSING = "subject_missing"
    SUBJECT_AMBIGUOUS = "subject_ambiguous"
    SOURCE_CHANGED = "source_changed"
    """Applied, over something else than what its curator saw."""


class ActorKind(str, Enum):
    """Who may decide; a pipeline is no curator."""

    HUMAN = "human"
    CURATION_AGENT = "curation_agent"
