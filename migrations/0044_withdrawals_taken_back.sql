CREATE TABLE "team_withdrawals" (
	"team_guid" uuid PRIMARY KEY NOT NULL,
	"policy" text NOT NULL,
	"state" jsonb NOT NULL,
	"brackets" jsonb NOT NULL
);
--> statement-breakpoint
ALTER TABLE "corrections" ALTER COLUMN "bracket_guid" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "corrections" ALTER COLUMN "match_guid" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "corrections" ALTER COLUMN "revision" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "corrections" ADD COLUMN "team_guid" uuid;--> statement-breakpoint
ALTER TABLE "corrections" ADD COLUMN "returned" jsonb;--> statement-breakpoint
ALTER TABLE "field_answers" ADD COLUMN "public_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "team_withdrawals" ADD CONSTRAINT "team_withdrawals_team_guid_teams_guid_fk" FOREIGN KEY ("team_guid") REFERENCES "public"."teams"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "corrections" ADD CONSTRAINT "corrections_team_guid_teams_guid_fk" FOREIGN KEY ("team_guid") REFERENCES "public"."teams"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "corrections_of_team" ON "corrections" USING btree ("team_guid") WHERE "corrections"."team_guid" is not null;--> statement-breakpoint
CREATE INDEX "field_answers_public_at" ON "field_answers" USING btree ("public_at") WHERE "field_answers"."public_at" is not null;--> statement-breakpoint
ALTER TABLE "corrections" ADD CONSTRAINT "corrections_of_match_or_team" CHECK (("corrections"."match_guid" is null) = ("corrections"."team_guid" is not null) and ("corrections"."bracket_guid" is null) = ("corrections"."team_guid" is not null));--> statement-breakpoint
-- Teams that are withdrawn already get back what the log has of them. Who was on the field it does not tell: as many as may be are, in
-- the order in which they joined.
insert into team_withdrawals (team_guid, policy, state, brackets)
select t.guid, coalesce(w.after->>'policy', 'walkover'),
  jsonb_build_object(
    'status', coalesce(w.before->>'status', 'unregistered'),
    'seed', w.before->'seed',
    'rosterLocked', coalesce(w.before->>'status', 'unregistered') <> 'unregistered',
    'registeredAt', case when coalesce(w.before->>'status', 'unregistered') = 'unregistered' then null
      else to_char(coalesce(r.at, t.withdrawn_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') end,
    'activeGuids', case when coalesce(w.before->>'status', 'unregistered') = 'unregistered' then '[]'
      else coalesce((
        select jsonb_agg(m.user_guid order by m.joined_at, m.user_guid) from (
          select user_guid, joined_at from team_members where team_guid = t.guid
          order by joined_at, user_guid limit c.team_size_active
        ) m), '[]') end),
  coalesce((
    select jsonb_agg(jsonb_build_object('bracketGuid', b.subject, 'earlier', (
      select e.after->'policy' from event_log e
      where e.tournament = t.tournament_guid and e.type = 'bracket.team_withdrawn' and e.subject = b.subject
        and e.after->>'teamGuid' = t.guid::text and e.seq < b.seq and b.after->>'policy' = 'void'
      order by e.seq desc limit 1)))
    from event_log b
    where b.tournament = t.tournament_guid and b.type = 'bracket.team_withdrawn' and b.seq > w.seq
      and b.after->>'teamGuid' = t.guid::text), '[]')
from teams t
join tournaments c on c.guid = t.tournament_guid
left join lateral (
  select seq, before, after from event_log
  where tournament = t.tournament_guid and type = 'team.withdrawn' and subject = t.guid order by seq desc limit 1
) w on true
left join lateral (
  select at from event_log
  where tournament = t.tournament_guid and type = 'team.registered' and subject = t.guid order by seq desc limit 1
) r on true
where t.withdrawn_at is not null;
