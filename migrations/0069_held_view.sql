CREATE TABLE "spoiler_horizons" (
	"tournament_guid" uuid PRIMARY KEY NOT NULL,
	"horizon" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "held_changes" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "held_changes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"tournament_guid" uuid NOT NULL,
	"transaction" bigint NOT NULL,
	"relation" text NOT NULL,
	"key" jsonb NOT NULL,
	"row" jsonb,
	"at" timestamp (3) with time zone,
	"event_from" bigint,
	"event_to" bigint
);
--> statement-breakpoint
CREATE TABLE "held_events" (
	"seq" bigint NOT NULL,
	"tournament_guid" uuid NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"shown_by" bigint,
	CONSTRAINT "held_events_seq_tournament_guid_pk" PRIMARY KEY("seq","tournament_guid")
);
--> statement-breakpoint
ALTER TABLE "held_events" ADD CONSTRAINT "held_events_seq_event_log_seq_fk" FOREIGN KEY ("seq") REFERENCES "public"."event_log"("seq") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "held_events_shown" ON "held_events" USING btree ("shown_by","seq") WHERE "held_events"."shown_by" is not null;--> statement-breakpoint
CREATE INDEX "held_events_waiting" ON "held_events" USING btree ("tournament_guid","at") WHERE "held_events"."shown_by" is null;--> statement-breakpoint
ALTER TABLE "tournaments" ADD COLUMN "spoiler_mode" text DEFAULT 'open' NOT NULL;--> statement-breakpoint
ALTER TABLE "tournaments" ADD CONSTRAINT "tournaments_spoiler_mode_known" CHECK ("tournaments"."spoiler_mode" in ('open', 'held'));--> statement-breakpoint
ALTER TABLE "spoiler_horizons" ADD CONSTRAINT "spoiler_horizons_tournament_guid_tournaments_guid_fk" FOREIGN KEY ("tournament_guid") REFERENCES "public"."tournaments"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "held_changes" ADD CONSTRAINT "held_changes_tournament_guid_spoiler_horizons_tournament_guid_fk" FOREIGN KEY ("tournament_guid") REFERENCES "public"."spoiler_horizons"("tournament_guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "held_changes_of_transaction" ON "held_changes" USING btree ("relation","key","transaction") WHERE "held_changes"."at" is null;--> statement-breakpoint
CREATE INDEX "held_changes_due" ON "held_changes" USING btree ("tournament_guid","at");--> statement-breakpoint
CREATE INDEX "held_changes_of_row" ON "held_changes" USING btree ("relation","key");--> statement-breakpoint
CREATE INDEX "held_changes_event" ON "held_changes" USING btree ("event_to") WHERE "held_changes"."event_to" is not null;
--> statement-breakpoint
-- `shown` has the rows of held tournaments as outsiders see them: tables with the columns and indexes of those of `public`.
-- `held` has a view for each of them, with the name and the columns of the table: the rows of `shown` for tournaments that are
-- held from the reader, and those of `public` for all others.
create schema shown;
--> statement-breakpoint
create schema held;
--> statement-breakpoint
-- The tournaments that are held from the reader of this transaction. `downbeat.inside` lists those in which the reader is an
-- insider.
create view held.hidden as
select h.tournament_guid from public.spoiler_horizons h
where h.tournament_guid <> all (coalesce(nullif(current_setting('downbeat.inside', true), ''), '{}')::uuid[]);
--> statement-breakpoint
-- Gives the changes of a transaction the time of its commit, by the clock of their tournament, and the numbers of its events. The lock is held until the commit, so
-- that a reader who has had it after this instant finds all changes of earlier ones.
create function stamp_held_changes() returns trigger language plpgsql as $$
declare
  own bigint := pg_current_xact_id()::text::bigint;
  event record;
  first_event bigint;
  last_event bigint;
  stamp record;
begin
  if not exists (select from public.held_changes where id = new.id and at is null) then return null; end if;
  perform pg_advisory_xact_lock(7305518002);
  for event in select seq, xmin::text::bigint as writer from public.event_log order by seq desc loop
    exit when event.writer <> own & 4294967295;
    last_event := coalesce(last_event, event.seq);
    first_event := event.seq;
  end loop;
  for stamp in
    select c.tournament_guid as tournament, date_trunc('milliseconds', clock_of(c.tournament_guid)) as at
    from (select distinct tournament_guid from public.held_changes where transaction = own and at is null) c
  loop
    update public.held_changes set at = stamp.at, event_from = first_event, event_to = last_event
    where transaction = own and at is null and tournament_guid = stamp.tournament;
    insert into public.held_events (seq, tournament_guid, at)
    select e.seq, stamp.tournament, stamp.at from public.event_log e where e.seq between first_event and last_event
    on conflict do nothing;
  end loop;
  return null;
end
$$;
--> statement-breakpoint
create constraint trigger held_changes_stamp after insert on held_changes
deferrable initially deferred for each row execute function stamp_held_changes();
--> statement-breakpoint
-- Events are marked with 0 when they are shown, and with the number of the event that shows them at the commit, when it has one.
create function stamp_shown_events() returns trigger language plpgsql as $$
begin
  if exists (select from public.held_events where shown_by = 0) then
    update public.held_events set shown_by = (select max(seq) from public.event_log) where shown_by = 0;
  end if;
  return null;
end
$$;
--> statement-breakpoint
create constraint trigger held_events_stamp after update of shown_by on held_events
deferrable initially deferred for each row when (new.shown_by = 0) execute function stamp_shown_events();
--> statement-breakpoint
-- Until here all changes are committed: an instant of the clock, after which later commits are stamped.
create function held_until(the_tournament uuid) returns timestamptz language plpgsql as $$
declare
  instant timestamptz;
begin
  perform pg_advisory_lock(7305518002);
  instant := date_trunc('milliseconds', clock_of(the_tournament));
  perform pg_advisory_unlock(7305518002);
  return instant;
end
$$;
--> statement-breakpoint
-- Has a table held: makes its table in `shown`, its view in `held`, its triggers, and the functions that copy and show its rows.
-- Call it again after columns of the table have changed; before one is dropped, drop view and column.
--   `relation`  the table
--   `member`    whether a row `r` belongs to a tournament, with %t for what follows the tournament's GUID: `r.tournament_guid %t`
--   `at_once`   columns whose changes outsiders see at once, in rows that they see
--   `passes`    condition over `o` and `n`, a row before and after a change: all of it is seen at once, unless an earlier change
--               of the row is still held
--   `appears`   whether new rows are seen at once
--   `vanishes`  whether deleted rows are gone at once
create function hold_rows(
  relation text, member text, at_once text[] default '{}', passes text default 'false',
  appears boolean default false, vanishes boolean default false
) returns void language plpgsql as $$
declare
  source regclass := format('public.%I', relation);
  columns text; of_r text; all_sets text; late_sets text; soon_sets text; soon_differs text; inserted text;
  same text; key text; not_compared text[]; definition text; missing record; due text;
begin
  select string_agg(format('%I', attname), ', ' order by attnum), string_agg(format('r.%I', attname), ', ' order by attnum),
    string_agg(format('%1$I = n.%1$I', attname), ', '),
    string_agg(format('%I = ', attname) ||
      case when attname = 'updated_at' then 'greatest(s.updated_at, r.updated_at)' else format('r.%I', attname) end, ', ')
      filter (where attname <> all (at_once)),
    string_agg(format('%1$I = n.%1$I', attname), ', ') filter (where attname = any (at_once) or attname = 'updated_at'),
    coalesce(string_agg(format('o.%1$I is distinct from n.%1$I', attname), ' or ') filter (where attname = any (at_once)), 'false'),
    string_agg(case when attname = any (at_once) then format('case when p is null then r.%1$I else p.%1$I end', attname)
      else format('r.%I', attname) end, ', ' order by attnum)
  into columns, of_r, all_sets, late_sets, soon_sets, soon_differs, inserted
  from pg_attribute where attrelid = source and attnum > 0 and not attisdropped;
  select format('jsonb_build_object(%s)', string_agg(format('%L, A.%I', attname, attname), ', ')),
    string_agg(format('A.%1$I = B.%1$I', attname), ' and ')
  into key, same
  from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey)
  where i.indrelid = source and i.indisprimary;
  not_compared := at_once || '{held_tournament}' || case when at_once = '{}' then '{}' else '{updated_at}'::text[] end;

  if to_regclass(format('shown.%I', relation)) is null then
    execute format('create table shown.%1$I (like public.%1$I)', relation);
    execute format('alter table shown.%I add held_tournament uuid not null references public.tournaments (guid) on delete cascade',
      relation);
    execute format('create index %I on shown.%I (held_tournament)', relation || '_held_tournament', relation);
    for definition in select indexdef from pg_indexes where schemaname = 'public' and tablename = relation loop
      -- Rows are replaced one after the other, so no index of these is unique.
      execute replace(replace(definition, 'CREATE UNIQUE INDEX', 'CREATE INDEX'), ' ON public.', ' ON shown.');
    end loop;
  else
    for missing in
      select attname, format_type(atttypid, atttypmod) as type from pg_attribute a
      where attrelid = source and attnum > 0 and not attisdropped and not exists (
        select from pg_attribute e
        where e.attrelid = format('shown.%I', relation)::regclass and e.attname = a.attname and not e.attisdropped)
    loop
      execute format('alter table shown.%I add %I %s', relation, missing.attname, missing.type);
      execute format('update shown.%1$I s set %2$I = r.%2$I from public.%1$I r where %3$s', relation, missing.attname,
        replace(replace(same, 'A.', 's.'), 'B.', 'r.'));
    end loop;
  end if;

  execute format('drop view if exists held.%I', relation);
  -- The condition is outside the union, so that the planner uses the indexes of both tables, also in joins. For each of the two,
  -- one half of it is constant.
  execute format($view$
    create view held.%1$I as select %2$s from (
      select %3$s, false as is_shown, null::uuid as held_tournament from public.%1$I r
      union all
      select %3$s, true, r.held_tournament from shown.%1$I r
    ) r
    where (r.is_shown and r.held_tournament = any ((select array(select h.tournament_guid from held.hidden h))::uuid[]))
      or (not r.is_shown and (%4$s) is not true)
  $view$, relation, columns, of_r,
    replace(member, '%t', '= any ((select array(select h.tournament_guid from held.hidden h))::uuid[])'));

  execute format($function$
    create or replace function shown.%1$s() returns trigger language plpgsql as $body$
    begin
      if not exists (select from public.spoiler_horizons) then return null; end if;
      if tg_op = 'INSERT' then %2$s elsif tg_op = 'UPDATE' then %3$s else %4$s end if;
      return null;
    end
    $body$
  $function$, relation || '_hold',
  case when appears then format($insert$
        insert into shown.%1$I (%2$s, held_tournament)
        select %3$s, h.tournament_guid from new_rows r join public.spoiler_horizons h on %4$s;
  $insert$, relation, columns, of_r, replace(member, '%t', '= h.tournament_guid'))
  else format($insert$
        insert into public.held_changes (tournament_guid, transaction, relation, key, row)
        select h.tournament_guid, pg_current_xact_id()::text::bigint, %1$L, %2$s, to_jsonb(r)
        from new_rows r join public.spoiler_horizons h on %3$s
        on conflict (relation, key, transaction) where at is null do update set row = excluded.row;
  $insert$, relation, replace(key, 'A.', 'r.'), replace(member, '%t', '= h.tournament_guid')) end,
  case when at_once = '{}' then '' else format($soon$
        update shown.%1$I s set %2$s from new_rows n join old_rows o on %3$s where %4$s and (%5$s);
  $soon$, relation, soon_sets, replace(replace(same, 'A.', 'n.'), 'B.', 'o.'), replace(replace(same, 'A.', 's.'), 'B.', 'n.'),
    soon_differs) end
  || case when passes = 'false' then '' else format($soon$
        update shown.%1$I s set %2$s from new_rows n join old_rows o on %3$s
        where %4$s and (%5$s) and not exists (select from public.held_changes c where c.relation = %6$L and c.key = %7$s);
  $soon$, relation, all_sets, replace(replace(same, 'A.', 'n.'), 'B.', 'o.'), replace(replace(same, 'A.', 's.'), 'B.', 'n.'),
    passes, relation, replace(key, 'A.', 'n.')) end
  || format($update$
        insert into public.held_changes (tournament_guid, transaction, relation, key, row)
        select h.tournament_guid, pg_current_xact_id()::text::bigint, %1$L, %2$s, to_jsonb(r)
        from new_rows r join public.spoiler_horizons h on %3$s join old_rows o on %4$s
        where (to_jsonb(r) - %5$L::text[]) is distinct from (to_jsonb(o) - %5$L::text[]) and (
          exists (select from public.held_changes c where c.relation = %1$L and c.key = %2$s)
          or not exists (
            select from shown.%6$I s where %7$s and (to_jsonb(s) - %5$L::text[]) = (to_jsonb(r) - %5$L::text[])))
        on conflict (relation, key, transaction) where at is null do update set row = excluded.row;
  $update$, relation, replace(key, 'A.', 'r.'), replace(member, '%t', '= h.tournament_guid'),
    replace(replace(same, 'A.', 'r.'), 'B.', 'o.'), not_compared, relation, replace(replace(same, 'A.', 's.'), 'B.', 'r.')),
  case when vanishes then format($delete$
        delete from shown.%1$I s using old_rows r where %2$s;
        delete from public.held_changes c using old_rows r where c.relation = %3$L and c.key = %4$s;
  $delete$, relation, replace(replace(same, 'A.', 's.'), 'B.', 'r.'), relation, replace(key, 'A.', 'r.'))
  else format($delete$
        -- What a row belonged to may be deleted already, so the tournament is found by what is kept of the row.
        insert into public.held_changes (tournament_guid, transaction, relation, key, row)
        select h.tournament_guid, pg_current_xact_id()::text::bigint, %1$L, %2$s, null
        from old_rows r join public.spoiler_horizons h on h.tournament_guid = coalesce(
          (select s.held_tournament from shown.%3$I s where %4$s limit 1),
          (select c.tournament_guid from public.held_changes c where c.relation = %1$L and c.key = %2$s limit 1))
        on conflict (relation, key, transaction) where at is null do update set row = excluded.row;
  $delete$, relation, replace(key, 'A.', 'r.'), relation, replace(replace(same, 'A.', 's.'), 'B.', 'r.')) end);
  execute format('create or replace trigger held_inserted after insert on public.%1$I
    referencing new table as new_rows for each statement execute function shown.%2$I()', relation, relation || '_hold');
  execute format('create or replace trigger held_updated after update on public.%1$I
    referencing old table as old_rows new table as new_rows for each statement execute function shown.%2$I()',
    relation, relation || '_hold');
  execute format('create or replace trigger held_deleted after delete on public.%1$I
    referencing old table as old_rows for each statement execute function shown.%2$I()', relation, relation || '_hold');

  execute format($function$
    create or replace function shown.%1$s(the_tournament uuid) returns void language sql as $body$
      insert into shown.%2$I (%3$s, held_tournament) select %4$s, the_tournament from public.%2$I r where %5$s
    $body$
  $function$, relation || '_copy', relation, columns, of_r, replace(member, '%t', '= the_tournament'));

  due := format($due$(select distinct on (c.key) c.key, c.row from public.held_changes c
    where c.tournament_guid = the_tournament and c.relation = %1$L and c.at <= until order by c.key, c.at desc, c.id desc) d
    cross join lateral jsonb_populate_record(null::public.%2$I, d.key) k
    cross join lateral jsonb_populate_record(null::public.%2$I, d.row) r$due$, relation, relation);
  execute format($function$
    create or replace function shown.%1$s(the_tournament uuid, until timestamptz) returns void language sql as $body$
      delete from shown.%2$I s using %3$s where d.row is null and %4$s;
      update shown.%2$I s set %5$s from %3$s where d.row is not null and %4$s;
      insert into shown.%2$I (%6$s, held_tournament)
      select %7$s, the_tournament from %3$s left join public.%2$I p on %8$s
      where d.row is not null and not exists (select from shown.%2$I s where %4$s);
    $body$
  $function$, relation || '_show', relation, due, replace(replace(same, 'A.', 's.'), 'B.', 'k.'), late_sets, columns, inserted,
    replace(replace(same, 'A.', 'p.'), 'B.', 'k.'));
end
$$;
--> statement-breakpoint
select
  hold_rows('divisions', 'r.tournament_guid %t'),
  hold_rows('brackets', 'r.tournament_guid %t'),
  hold_rows('bracket_entrants', 'r.tournament_guid %t'),
  hold_rows('matches', 'r.tournament_guid %t', '{scheduled_at,stream_url,vod_url}'),
  hold_rows('corrections', 'r.tournament_guid %t'),
  hold_rows('flow_sessions', 'r.tournament_guid %t'),
  hold_rows('flow_rows', 'r.tournament_guid %t'),
  hold_rows('flow_map_results', 'r.session_guid in (select f.guid from public.flow_sessions f where f.tournament_guid %t)'),
  hold_rows('stream_assignments', 'r.tournament_guid %t'),
  hold_rows('stream_sessions', 'r.tournament_guid %t'),
  hold_rows('channels', 'r.tournament_guid %t', '{guid,tournament_guid,name,url,delay_seconds,position,created_at}',
    appears => true, vanishes => true),
  hold_rows('channel_entries', 'r.channel_guid in (select c.guid from public.channels c where c.tournament_guid %t)'),
  hold_rows('overlay_controls', 'r.overlay_guid in (select o.guid from public.overlays o where o.tournament_guid %t)'),
  hold_rows('team_withdrawals', 'r.team_guid in (select t.guid from public.teams t where t.tournament_guid %t)'),
  hold_rows('badge_grants', 'r.badge_guid in (select b.guid from public.badges b where b.tournament_guid %t)',
    '{hidden,position}', vanishes => true);
--> statement-breakpoint
-- Whether a tournament is completed is held, and its places are. Its other states are seen at once.
select hold_rows('tournaments', 'r.guid %t',
  (select array_agg(attname::text) from pg_attribute where attrelid = 'public.tournaments'::regclass and attnum > 0
    and not attisdropped and attname not in ('status', 'completed_at', 'placements', 'updated_at')),
  passes => $$'completed' not in (o.status, n.status) and o.placements = n.placements$$, appears => true, vanishes => true);
--> statement-breakpoint
select hold_rows('listings', 'r.tournament_guid %t', '{platform_guid,tournament_guid,sort_at}',
  passes => $$'completed' not in (o.status, n.status)$$, appears => true, vanishes => true);
--> statement-breakpoint
-- That a team withdraws, or leaves while the tournament is under way, is held; that it registers is not.
select hold_rows('teams', 'r.tournament_guid %t',
  (select array_agg(attname::text) from pg_attribute where attrelid = 'public.teams'::regclass and attnum > 0
    and not attisdropped and attname not in ('status', 'seed', 'roster_locked', 'registered_at', 'withdrawn_at',
      'withdrawn_reason', 'updated_at')),
  passes => $$(o.withdrawn_at, o.withdrawn_reason) is not distinct from (n.withdrawn_at, n.withdrawn_reason) and (
    array_position('{unregistered,registered,qualified}', n.status) >= array_position('{unregistered,registered,qualified}', o.status)
    or (select t.status from public.tournaments t where t.guid = n.tournament_guid) <> 'ongoing')$$,
  appears => true, vanishes => true);
--> statement-breakpoint
select hold_rows('badges', 'r.tournament_guid %t',
  (select array_agg(attname::text) from pg_attribute where attrelid = 'public.badges'::regclass and attnum > 0
    and not attisdropped and attname not in ('holders', 'updated_at')), appears => true, vanishes => true);
--> statement-breakpoint
-- The totals of held tournaments follow from their teams as they are shown.
create view held.tournament_counts as
select c.tournament_guid, c.teams, c.registered, c.qualified, c.players from public.tournament_counts c
where c.tournament_guid not in (select h.tournament_guid from held.hidden h)
union all
select h.tournament_guid, t.teams, t.registered, t.qualified,
  (select count(*)::integer from public.team_members m where m.tournament_guid = h.tournament_guid)
from held.hidden h cross join lateral (
  select count(*)::integer as teams, (count(*) filter (where s.status <> 'unregistered'))::integer as registered,
    (count(*) filter (where s.status = 'qualified'))::integer as qualified
  from shown.teams s where s.held_tournament = h.tournament_guid
) t;
--> statement-breakpoint
create function held_relations() returns setof text language sql stable as $$
  select tablename::text from pg_tables where schemaname = 'shown' order by 1
$$;
--> statement-breakpoint
-- Begins to hold a tournament: outsiders see it as it is now. Nobody changes the tables meanwhile, so that every change is either
-- copied or kept.
create function hold_tournament(the_tournament uuid) returns void language plpgsql as $$
declare
  relation text;
begin
  for relation in select held_relations() loop
    execute format('lock table public.%I in share row exclusive mode', relation);
  end loop;
  insert into public.spoiler_horizons (tournament_guid, horizon) values (the_tournament, held_until(the_tournament));
  for relation in select held_relations() loop
    execute format('select shown.%I($1)', relation || '_copy') using the_tournament;
  end loop;
end
$$;
--> statement-breakpoint
-- Shows all at once, also to viewers who ask for the delay: what they see does not go back either.
create function release_tournament(the_tournament uuid) returns void language plpgsql as $$
declare
  relation text;
begin
  delete from public.spoiler_horizons where tournament_guid = the_tournament;
  update public.held_events set shown_by = 0 where tournament_guid = the_tournament and shown_by is null;
  update public.match_delays d set not_before = clock_of(the_tournament)
  from public.matches m where m.guid = d.match_guid and m.tournament_guid = the_tournament;
  for relation in select held_relations() loop
    execute format('delete from shown.%I where held_tournament = $1', relation) using the_tournament;
  end loop;
end
$$;
--> statement-breakpoint
create function follow_spoiler_mode() returns trigger language plpgsql as $$
begin
  if new.spoiler_mode = 'held' then perform hold_tournament(new.guid); else perform release_tournament(new.guid); end if;
  return null;
end
$$;
--> statement-breakpoint
create trigger tournaments_hold after update of spoiler_mode on tournaments
for each row when (new.spoiler_mode <> old.spoiler_mode) execute function follow_spoiler_mode();
--> statement-breakpoint
create function settle_release() returns trigger language plpgsql as $$
begin
  new.stream_delay_from := clock_of(new.guid);
  return new;
end
$$;
--> statement-breakpoint
create trigger tournaments_settle_release before update of spoiler_mode on tournaments
for each row when (old.spoiler_mode = 'held' and new.spoiler_mode = 'open') execute function settle_release();
--> statement-breakpoint
create trigger tournaments_hold_new after insert on tournaments
for each row when (new.spoiler_mode = 'held') execute function follow_spoiler_mode();
--> statement-breakpoint
-- Moves the horizon of a tournament to an instant, or to where all is committed if that is earlier, and shows what happened until
-- then. It never goes back.
--   `touches`  what the events touched that are shown now, with the tags of their types; `*` for everything
create function advance_horizon(
  the_tournament uuid, wanted timestamptz, out reached timestamptz, out changes integer, out touches text[]
) language plpgsql as $$
declare
  relation text;
  committed timestamptz := held_until(the_tournament);
begin
  select h.horizon into reached from public.spoiler_horizons h where h.tournament_guid = the_tournament for no key update;
  if not found then return; end if;
  reached := greatest(reached, least(date_trunc('milliseconds', wanted), committed));
  for relation in
    select distinct c.relation from public.held_changes c where c.tournament_guid = the_tournament and c.at <= reached
  loop
    execute format('select shown.%I($1, $2)', relation || '_show') using the_tournament, reached;
  end loop;
  with seen as (
    delete from public.held_changes c where c.tournament_guid = the_tournament and c.at <= reached
    returning c.event_from, c.event_to
  ), events as (
    select distinct e.seq, e.tournament, e.type, e.touches from (select distinct event_from, event_to from seen) s
    join public.event_log e on e.seq between s.event_from and s.event_to
  )
  select (select count(*) from seen), coalesce((select array_agg(distinct tag) from events e cross join lateral unnest(
    e.touches || case when e.tournament is null then '{}'
      else array[e.tournament::text || ' ' || e.type, '* ' || e.type] end) tag), '{}')
    -- What a change without an event touches is unknown, and so is what events touched that are deleted: everything.
    || case when exists (select from seen s where not exists (select from events e where e.seq between s.event_from and s.event_to))
      then array['*'] else '{}' end
  into changes, touches;
  update public.held_events set shown_by = 0
  where tournament_guid = the_tournament and shown_by is null and at <= reached;
  update public.spoiler_horizons set horizon = reached where tournament_guid = the_tournament;
end
$$;
--> statement-breakpoint
-- Earlier rows of held tournaments are not for viewers who ask for a delay: what is shown of these is the horizon's.
create view held.earlier_rows as select e.* from public.earlier_rows e
where e.tournament_guid <> all ((select array(select h.tournament_guid from held.hidden h))::uuid[]);
--> statement-breakpoint
-- An event is held for as long as a change of its transaction is.
create view held.event_log as select e.* from public.event_log e
where not exists (
  select from public.held_events h
  where h.seq = e.seq and h.shown_by is null and h.tournament_guid in (select w.tournament_guid from held.hidden w));
--> statement-breakpoint
-- The delay of a held tournament, and the instant whose state is shown: the stored one or, where nothing is held back, as late as
-- the delay says.
create function horizon_of(the_tournament uuid, out seconds integer, out horizon timestamptz, out waiting integer)
language sql stable as $$
  select d.seconds, greatest(h.horizon, least(date_trunc('milliseconds', clock_of(the_tournament) - make_interval(secs => d.seconds)),
    (select min(c.at) - interval '1 millisecond' from public.held_changes c where c.tournament_guid = the_tournament))),
    (select count(*)::integer from public.held_changes c where c.tournament_guid = the_tournament)
  from public.spoiler_horizons h join public.tournaments t on t.guid = h.tournament_guid
  cross join lateral (select greatest(t.stream_delay_seconds, t.channel_delay_seconds) as seconds) d
  where h.tournament_guid = the_tournament
$$;
--> statement-breakpoint
-- Before a delay changes, the horizon is stored where it is: a longer delay does not move it back.
create function settle_horizon() returns trigger language plpgsql as $$
begin
  update public.spoiler_horizons h set horizon = p.horizon from horizon_of(old.guid) p where h.tournament_guid = old.guid;
  return new;
end
$$;
--> statement-breakpoint
create trigger tournaments_settle_horizon before update of stream_delay_seconds, channel_delay_seconds on tournaments
for each row when (old.spoiler_mode = 'held') execute function settle_horizon();
