CREATE TABLE "match_delays" (
	"match_guid" uuid PRIMARY KEY NOT NULL,
	"seconds" integer,
	"not_before" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
DROP INDEX "tournaments_delayed";--> statement-breakpoint
ALTER TABLE "channels" ADD COLUMN "created_at" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "channels" ADD COLUMN "updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "tournaments" ADD COLUMN "channel_delay_seconds" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "tournaments_delayed" ON "tournaments" USING btree ("guid") WHERE "tournaments"."stream_delay_seconds" > 0 or "tournaments"."channel_delay_seconds" > 0;
--> statement-breakpoint
ALTER TABLE "match_delays" ADD CONSTRAINT "match_delays_match_guid_matches_guid_fk" FOREIGN KEY ("match_guid") REFERENCES "public"."matches"("guid") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
-- How late a tournament is shown is the largest of its own delay and those of its channels; where that begins, or grows, what
-- viewers see stands still until the new delay has passed. (RT40, RT41)
create or replace function freeze_delayed() returns trigger language plpgsql as $$
declare
  seconds integer := greatest(old.stream_delay_seconds, old.channel_delay_seconds);
begin
  new.stream_delay_from := case
    when seconds = 0 then clock_timestamp()
    else shown_instant(seconds, old.stream_delay_from, clock_timestamp())
  end;
  return new;
end
$$;
--> statement-breakpoint
create or replace trigger tournaments_freeze_delayed before update of stream_delay_seconds, channel_delay_seconds on tournaments
for each row when (
  greatest(new.stream_delay_seconds, new.channel_delay_seconds) > greatest(old.stream_delay_seconds, old.channel_delay_seconds)
) execute function freeze_delayed();
--> statement-breakpoint
drop function stream_delay(uuid);
--> statement-breakpoint
-- Of one match: as late as the channel that shows it. Of everything else, for which `the_match` is null, and of matches that no
-- channel shows: as late as the tournament, and never before what was shown of the match when a channel still did.
create function stream_delay(the_tournament uuid, the_match uuid, out seconds integer, out not_before timestamptz)
language sql stable as $$
  select coalesce(d.seconds, greatest(t.stream_delay_seconds, t.channel_delay_seconds)),
    case when d.seconds is null then greatest(t.stream_delay_from, d.not_before) else d.not_before end
  from public.tournaments t left join public.match_delays d on d.match_guid = the_match
  where t.guid = the_tournament
$$;
--> statement-breakpoint
-- Has a match be as late as the channel that has it in its queue; what viewers see of it stands still, or runs forward, and never
-- goes back.
create function settle_match_delay(the_match uuid) returns void language plpgsql as $$
declare
  the_tournament uuid;
  wanted integer;
  present record;
begin
  select m.tournament_guid into the_tournament from public.matches m where m.guid = the_match;
  if not found then return; end if;
  select max(c.delay_seconds) into wanted from public.channel_entries e
  join public.channels c on c.guid = e.channel_guid where e.match_guid = the_match;
  if wanted is not distinct from (select d.seconds from public.match_delays d where d.match_guid = the_match) then return; end if;
  select * into present from stream_delay(the_tournament, the_match);
  insert into public.match_delays (match_guid, seconds, not_before)
  values (the_match, wanted, least(shown_instant(present.seconds, present.not_before, clock_timestamp()), clock_timestamp()))
  on conflict (match_guid) do update set seconds = excluded.seconds, not_before = excluded.not_before;
end
$$;
--> statement-breakpoint
create function follow_queue() returns trigger language plpgsql as $$
begin
  perform settle_match_delay(case when tg_op = 'DELETE' then old.match_guid else new.match_guid end);
  return null;
end
$$;
--> statement-breakpoint
create function follow_channel() returns trigger language plpgsql as $$
declare
  the_channel record := case when tg_op = 'DELETE' then old else new end;
  wanted integer;
begin
  select coalesce(max(c.delay_seconds), 0) into wanted from public.channels c
  where c.tournament_guid = the_channel.tournament_guid;
  update public.tournaments t set channel_delay_seconds = wanted
  where t.guid = the_channel.tournament_guid and t.channel_delay_seconds <> wanted;
  perform settle_match_delay(e.match_guid) from public.channel_entries e where e.channel_guid = the_channel.guid;
  return null;
end
$$;
--> statement-breakpoint
-- At the commit, by what a transaction has come to: a list that is replaced may have no long delay for a while.
create constraint trigger channels_follow_delay after insert or update of delay_seconds or delete on channels
deferrable initially deferred for each row execute function follow_channel();
--> statement-breakpoint
create constraint trigger channel_entries_follow_delay after insert or delete on channel_entries
deferrable initially deferred for each row execute function follow_queue();
--> statement-breakpoint
drop function delayed.show(uuid);
--> statement-breakpoint
-- Has the transaction see a tournament through the views of this schema as it is shown with its delay or, where `the_match` is
-- not null, with that of the match.
-- `due_ms`: after so many milliseconds what is shown may change, without anything happening; null for never.
-- `up_to`: number of the newest event of the tournament that is shown.
create function delayed.show(the_tournament uuid, the_match uuid, out seconds integer, out due_ms double precision, out up_to bigint)
language plpgsql as $$
declare
  shown timestamptz;
  next_change timestamptz;
begin
  select d.seconds, shown_instant(d.seconds, d.not_before, clock_timestamp()) into seconds, shown
  from public.stream_delay(the_tournament, the_match) d;
  perform set_config('downbeat.shown_at', shown::text, true),
    set_config('downbeat.shown_tournament', the_tournament::text, true);
  select e.seq into up_to from public.event_log e
  where e.tournament = the_tournament and e.at <= shown order by e.seq desc limit 1;
  up_to := coalesce(up_to, 0);
  select min(e.until) into next_change from public.earlier_rows e
  where e.tournament_guid = the_tournament and e.until > shown;
  select least(next_change, e.at) into next_change
  from (select at from public.event_log where tournament = the_tournament and seq > up_to order by seq limit 1) e
  right join (values (1)) as once on true;
  due_ms := 1000 * extract(epoch from
    date_trunc('second', next_change + interval '1.999999 seconds') + make_interval(secs => seconds) - clock_timestamp());
end
$$;
--> statement-breakpoint
-- As before, for tournaments that have a delay of their own or a channel with one.
create or replace function keep_earlier(relation text, key text, tournament text) returns void language plpgsql as $$
begin
  execute format('drop view if exists delayed.%I', relation);
  execute format($view$
    create view delayed.%1$I as
    select r.* from public.%1$I r
    where not exists (
      select from public.earlier_rows e
      where e.relation = %1$L and e.key = %2$s and e.until > delayed.shown_at())
    union all
    select r.* from public.earlier_rows e cross join lateral jsonb_populate_record(null::public.%1$I, e.row) r
    where e.tournament_guid = delayed.shown_tournament() and e.until > delayed.shown_at()
      and e.relation = %1$L and e.since <= delayed.shown_at() and e.row is not null
  $view$, relation, key);
  execute format($trigger$
    create or replace function %4$I() returns trigger language plpgsql as $body$
    declare
      instant timestamptz;
    begin
      if not exists (select from public.tournaments where stream_delay_seconds > 0 or channel_delay_seconds > 0) then return null; end if;
      instant := keeping_instant();
      if tg_op = 'INSERT' then
        insert into public.earlier_rows (tournament_guid, relation, key, since, until, row)
        select t.guid, %1$L, %2$s, coalesce(kept.until, '-infinity'), instant, null
        from new_rows r join public.tournaments t on t.guid = %3$s 
          and (t.stream_delay_seconds > 0 or t.channel_delay_seconds > 0)
        left join lateral (
          select max(e.until) as until from public.earlier_rows e where e.relation = %1$L and e.key = %2$s
        ) kept on true
        where kept.until is null or kept.until < instant;
      else
        insert into public.earlier_rows (tournament_guid, relation, key, since, until, row)
        select t.guid, %1$L, %2$s, coalesce(kept.until, '-infinity'), instant, to_jsonb(r)
        from old_rows r join public.tournaments t on t.guid = %3$s 
          and (t.stream_delay_seconds > 0 or t.channel_delay_seconds > 0)
        left join lateral (
          select max(e.until) as until from public.earlier_rows e where e.relation = %1$L and e.key = %2$s
        ) kept on true
        where kept.until is null or kept.until < instant;
      end if;
      return null;
    end
    $body$
  $trigger$, relation, key, tournament, relation || '_keep_earlier');
  execute format('create or replace trigger keep_earlier_inserted after insert on public.%1$I
    referencing new table as new_rows for each statement execute function %2$I()', relation, relation || '_keep_earlier');
  execute format('create or replace trigger keep_earlier_updated after update on public.%1$I
    referencing old table as old_rows for each statement execute function %2$I()', relation, relation || '_keep_earlier');
  execute format('create or replace trigger keep_earlier_deleted after delete on public.%1$I
    referencing old table as old_rows for each statement execute function %2$I()', relation, relation || '_keep_earlier');
end
$$;
--> statement-breakpoint
select
  keep_earlier('brackets', 'r.guid::text', 'r.tournament_guid'),
  keep_earlier('bracket_entrants', 'r.bracket_guid::text || r.slot', 'r.tournament_guid'),
  keep_earlier('matches', 'r.guid::text', 'r.tournament_guid'),
  keep_earlier('flow_sessions', 'r.guid::text', 'r.tournament_guid'),
  keep_earlier('flow_rows', 'r.session_guid::text || '':'' || r.position', 'r.tournament_guid');
