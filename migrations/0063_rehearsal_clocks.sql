-- Every rehearsal has a clock of its own. `ran_to`: up to this instant of it, all that was due has run.
alter table rehearsals
  add column base timestamp (3) with time zone default now() not null,
  add column at timestamp (3) with time zone default now() not null,
  add column rate double precision default 1 not null,
  add column is_paused boolean default true not null,
  add column ran_to timestamp (3) with time zone default now() not null;
--> statement-breakpoint
-- The clock of a rehearsal now, and how many of its seconds pass in a real one; no row for every other tournament.
create function rehearsal_clock(tournament uuid, out instant timestamptz, out pace double precision)
returns setof record language sql volatile as $$
  select date_trunc('milliseconds',
      case when r.is_paused then r.base else r.base + greatest(clock_timestamp() - r.at, interval '0') * r.rate end),
    case when r.is_paused then 0 else r.rate end
  from public.rehearsals r where r.guid = tournament
$$;
--> statement-breakpoint
-- The clock of a transaction. One that works in a rehearsal names it as `downbeat.rehearsal`, with the instant at which it began as
-- `downbeat.began`; work that was due at an instant does all at that instant, `downbeat.now`.
create function local_clock() returns timestamptz language sql volatile as $$
  select case when coalesce(current_setting('downbeat.rehearsal', true), '') = '' then clock_timestamp()
    else coalesce(
      nullif(current_setting('downbeat.now', true), '')::timestamptz,
      (select c.instant from public.rehearsal_clock(current_setting('downbeat.rehearsal')::uuid) c),
      clock_timestamp())
  end
$$;
--> statement-breakpoint
-- When the transaction began, by its clock.
create function local_now() returns timestamptz language sql stable as $$
  select coalesce(nullif(current_setting('downbeat.began', true), '')::timestamptz, now())
$$;
--> statement-breakpoint
-- The clock of a tournament, for transactions that work in many.
create function clock_of(tournament uuid) returns timestamptz language sql volatile as $$
  select case when coalesce(current_setting('downbeat.rehearsal', true), '') = ''
    then coalesce((select c.instant from public.rehearsal_clock(tournament) c), clock_timestamp())
    else public.local_clock()
  end
$$;
--> statement-breakpoint
-- Whether a connection does the work that is due in a tournament: in the one rehearsal that it names, else in all that are none.
create function runs_here(tournament uuid) returns boolean language sql stable as $$
  select case when nullif(current_setting('downbeat.rehearsal', true), '') is null
    then not exists (select from public.rehearsals r where r.guid = tournament)
    else tournament = current_setting('downbeat.rehearsal')::uuid
  end
$$;
--> statement-breakpoint
-- Rows that are made in a rehearsal have its instant. Everything about accounts, and the log's own order, stays with the real clock.
do $$
declare
  each record;
begin
  for each in
    select c.relname, a.attname from pg_attrdef d
    join pg_class c on c.oid = d.adrelid
    join pg_attribute a on a.attrelid = d.adrelid and a.attnum = d.adnum
    where c.relnamespace = 'public'::regnamespace and pg_get_expr(d.adbin, d.adrelid) = 'now()'
      and c.relname not in ('rehearsals', 'set_aside_events', 'command_results')
  loop
    execute format('alter table public.%I alter column %I set default local_now()', each.relname, each.attname);
  end loop;
end
$$;
--> statement-breakpoint
-- The instant of the rehearsal in which it happened; null for all other events. `at` stays the real one.
alter table event_log add column clock_at timestamp (3) with time zone;
--> statement-breakpoint
alter table event_log alter column clock_at
  set default case when coalesce(current_setting('downbeat.rehearsal', true), '') <> '' then local_clock() end;
--> statement-breakpoint
-- As before, by the clock of the tournament.
create or replace function freeze_delayed() returns trigger language plpgsql as $$
declare
  seconds integer := greatest(old.stream_delay_seconds, old.channel_delay_seconds);
  present timestamptz := clock_of(old.guid);
begin
  new.stream_delay_from := case
    when seconds = 0 then present
    else shown_instant(seconds, old.stream_delay_from, present)
  end;
  return new;
end
$$;
--> statement-breakpoint
create or replace function settle_match_delay(the_match uuid) returns void language plpgsql as $$
declare
  the_tournament uuid;
  wanted integer;
  current record;
  present timestamptz;
begin
  select m.tournament_guid into the_tournament from public.matches m where m.guid = the_match;
  if not found then return; end if;
  select max(c.delay_seconds) into wanted from public.channel_entries e
  join public.channels c on c.guid = e.channel_guid where e.match_guid = the_match;
  if wanted is not distinct from (select d.seconds from public.match_delays d where d.match_guid = the_match) then return; end if;
  present := clock_of(the_tournament);
  select * into current from stream_delay(the_tournament, the_match);
  insert into public.match_delays (match_guid, seconds, not_before)
  values (the_match, wanted, least(shown_instant(current.seconds, current.not_before, present), present))
  on conflict (match_guid) do update set seconds = excluded.seconds, not_before = excluded.not_before;
end
$$;
--> statement-breakpoint
create or replace function keeping_instant() returns timestamptz language plpgsql as $$
declare
  instant timestamptz := nullif(current_setting('downbeat.keeping_at', true), '');
begin
  if instant is null then
    instant := date_trunc('milliseconds', local_clock());
    perform set_config('downbeat.keeping_at', instant::text, true);
  end if;
  return instant;
end
$$;
--> statement-breakpoint
create or replace function delayed.show(
  the_tournament uuid, the_match uuid, out seconds integer, out due_ms double precision, out up_to bigint
) language plpgsql as $$
declare
  shown timestamptz;
  next_change timestamptz;
  present timestamptz := public.clock_of(the_tournament);
  pace double precision;
begin
  select d.seconds, shown_instant(d.seconds, d.not_before, present) into seconds, shown
  from public.stream_delay(the_tournament, the_match) d;
  perform set_config('downbeat.shown_at', shown::text, true),
    set_config('downbeat.shown_tournament', the_tournament::text, true);
  select e.seq into up_to from public.event_log e
  where e.tournament = the_tournament and coalesce(e.clock_at, e.at) <= shown order by e.seq desc limit 1;
  up_to := coalesce(up_to, 0);
  select min(e.until) into next_change from public.earlier_rows e
  where e.tournament_guid = the_tournament and e.until > shown;
  select least(next_change, e.at) into next_change
  from (
    select coalesce(clock_at, at) as at from public.event_log
    where tournament = the_tournament and seq > up_to order by seq limit 1) e
  right join (values (1)) as once on true;
  due_ms := 1000 * extract(epoch from
    date_trunc('second', next_change + interval '1.999999 seconds') + make_interval(secs => seconds) - present);
  select c.pace into pace from public.rehearsal_clock(the_tournament) c;
  if found then due_ms := due_ms / nullif(pace, 0); end if;
end
$$;
