-- A team that leaves loses its active members in the same transaction, after it has lost its place: they are held
-- with it. Other changes of who is active are seen at once.
select hold_rows('team_members', 'r.tournament_guid %t',
  (select array_agg(attname::text) from pg_attribute where attrelid = 'public.team_members'::regclass and attnum > 0
    and not attisdropped and attname <> 'is_active'),
  passes => $$not exists (select from public.held_changes p where p.relation = 'teams' and p.at is null
    and p.transaction = pg_current_xact_id()::text::bigint and p.key = jsonb_build_object('guid', n.team_guid))$$,
  appears => true, vanishes => true);
--> statement-breakpoint
select shown.team_members_copy(h.tournament_guid) from spoiler_horizons h;
