-- Ledger version 0006: detection. Advisory: nothing here is read by what accepts or publishes.
-- Every closed vocabulary is an enum in tidegate.detection.vocabulary as well; a test compares them.

-- Severities are ordered by rank.
create table governance.anomaly_severities (
    severity text primary key,
    rank integer not null unique check (rank > 0)
);
insert into governance.anomaly_severities (severity, rank) values
    ('low', 1), ('medium', 2), ('high', 3), ('critical', 4);
call governance.make_append_only('governance.anomaly_severities');

-- What is measured once, when a run was accepted, and compared with from then on.
create table governance.delivery_profiles (
    run_id bigint primary key references governance.runs,
    dataset text not null,
    compared bigint not null check (compared >= 0),
    repeated bigint not null check (repeated between 0 and compared),
    dimension text,
    members jsonb check ((members is null) = (dimension is null)),
    profiled_at timestamptz not null default clock_timestamp()
);
comment on column governance.delivery_profiles.repeated is
'accepted records that repeat another record of the same delivery in every column';
comment on column governance.delivery_profiles.members is
'accepted records by member of the dimension; members are words of the contract, never values';
call governance.make_append_only('governance.delivery_profiles');

-- What each detector said about each run, "nothing" included.
create table governance.detections (
    run_id bigint not null references governance.runs,
    dataset text not null,
    detector text not null check (detector in (
        'volume', 'completeness', 'quarantine', 'confidence', 'repetition'
    )),
    outcome text not null check (outcome in (
        'normal', 'anomalous', 'insufficient_history', 'not_measured', 'excluded', 'error'
    )),
    subjects integer not null check (subjects >= 0),
    anomalies integer not null check (anomalies between 0 and subjects),
    baseline integer not null check (baseline >= 0),
    detail text not null default '',
    detected_at timestamptz not null default clock_timestamp(),
    primary key (run_id, detector),
    check ((outcome = 'anomalous') = (anomalies > 0))
);
create index on governance.detections (dataset, run_id desc);
call governance.make_append_only('governance.detections');

create table governance.anomalies (
    anomaly_id bigint generated always as identity primary key,
    dataset text not null,
    detector text not null check (detector in (
        'volume', 'completeness', 'quarantine', 'confidence', 'repetition', 'missing_delivery'
    )),
    -- A column or a member of the dimension; empty: the delivery as a whole.
    subject text not null default '',
    severity text not null references governance.anomaly_severities,
    run_id bigint references governance.runs,
    delivery_id bigint references governance.deliveries,
    expected_day date,
    observed double precision,
    expected double precision,
    low double precision,
    high double precision,
    baseline integer not null check (baseline >= 0),
    detail text not null default '',
    schema_version_id bigint references governance.schema_versions,
    rows_read bigint,
    rows_accepted bigint,
    rows_quarantined bigint,
    review_id bigint not null references governance.review_items,
    raised_at timestamptz not null default clock_timestamp(),
    unique (run_id, detector, subject),
    constraint anomalies_of_a_run_or_of_a_day
    check (num_nonnulls(run_id, expected_day) = 1),
    constraint anomalies_missing_have_a_day
    check ((detector = 'missing_delivery') = (expected_day is not null)),
    check ((run_id is null) = (delivery_id is null))
);
create index on governance.anomalies (dataset, anomaly_id desc);
create unique index anomalies_one_missing_day
on governance.anomalies (dataset, expected_day) where detector = 'missing_delivery';
call governance.make_append_only('governance.anomalies');

-- What people found out; the newest counts.
create table governance.anomaly_assessments (
    assessment_id bigint generated always as identity primary key,
    anomaly_id bigint not null references governance.anomalies,
    assessment text not null check (assessment in ('incident', 'expected')),
    assessed_by text not null check (assessed_by <> ''),
    reason text not null check (reason <> ''),
    assessed_at timestamptz not null default clock_timestamp()
);
create index on governance.anomaly_assessments (anomaly_id, assessment_id desc);
call governance.make_append_only('governance.anomaly_assessments');

create view governance.anomaly_index as
select
    a.*,
    s.rank as severity_rank,
    latest.assessment,
    latest.assessed_by,
    latest.reason as assessment_reason,
    latest.assessed_at,
    latest.assessment is null and i.state = 'open' as is_open
from governance.anomalies as a
inner join governance.anomaly_severities as s using (severity)
inner join governance.review_items as i using (review_id)
left join lateral (
    select t.assessment, t.assessed_by, t.reason, t.assessed_at
    from governance.anomaly_assessments as t
    where t.anomaly_id = a.anomaly_id
    order by t.assessment_id desc
    limit 1
) as latest on true;

select governance.apply_grants();
