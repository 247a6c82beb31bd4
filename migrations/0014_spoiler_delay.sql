CREATE TABLE "earlier_rows" (
	"tournament_guid" uuid NOT NULL,
	"relation" text NOT NULL,
	"key" text NOT NULL,
	"since" timestamp (3) with time zone NOT NULL,
	"until" timestamp (3) with time zone NOT NULL,
	"row" jsonb,
	CONSTRAINT "earlier_rows_relation_key_until_pk" PRIMARY KEY("relation","key","until")
);
--> statement-breakpoint
ALTER TABLE "tournaments" ADD COLUMN "stream_delay_seconds" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "tournaments" ADD COLUMN "stream_delay_from" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "tournaments" ADD COLUMN "live_scores" text DEFAULT 'public' NOT NULL;--> statement-breakpoint
CREATE INDEX "earlier_rows_of_tournament" ON "earlier_rows" USING btree ("tournament_guid","until");--> statement-breakpoint
CREATE INDEX "earlier_rows_until" ON "earlier_rows" USING btree ("until");--> statement-breakpoint
CREATE INDEX "tournaments_delayed" ON "tournaments" USING btree ("guid") WHERE "tournaments"."stream_delay_seconds" > 0;--> statement-breakpoint
ALTER TABLE "tournaments" ADD CONSTRAINT "tournaments_stream_delay" CHECK ("tournaments"."stream_delay_seconds" between 0 and 1800);--> statement-breakpoint
ALTER TABLE "tournaments" ADD CONSTRAINT "tournaments_live_scores_known" CHECK ("tournaments"."live_scores" in ('public', 'staff'));--> statement-breakpoint
create schema delayed;
--> statement-breakpoint
-- What viewers who ask for the delay are shown is the state of this instant. It moves by whole seconds, is a second behind so
-- that every transaction whose changes it shows has been committed, and is never before the instant from which the delay is
-- what it is. Without a delay it is the end of time: all that there is.
create function shown_instant(seconds integer, not_before timestamptz, at timestamptz) returns timestamptz
language sql immutable as $$
  select case
    when seconds = 0 then 'infinity'
    else greatest(date_trunc('second', at - make_interval(secs => seconds)) - interval '1 second', not_before)
  end
$$;
--> statement-breakpoint
-- Where a delay begins, or grows, what viewers see stands still until the new delay has passed. (RT41)
create function freeze_delayed() returns trigger language plpgsql as $$
begin
  new.stream_delay_from := case
    when old.stream_delay_seconds = 0 then clock_timestamp()
    else shown_instant(old.stream_delay_seconds, old.stream_delay_from, clock_timestamp())
  end;
  return new;
end
$$;
--> statement-breakpoint
create trigger tournaments_freeze_delayed before update of stream_delay_seconds on tournaments
for each row when (new.stream_delay_seconds > old.stream_delay_seconds) execute function freeze_delayed();
--> statement-breakpoint
create function stream_delay(the_tournament uuid, out seconds integer, out not_before timestamptz)
language sql stable as $$
  select stream_delay_seconds, stream_delay_from from tournaments where guid = the_tournament
$$;
--> statement-breakpoint
-- Of this transaction: the instant from which its changes count.
create function delayed.shown_at() returns timestamptz language sql stable as $$
  select current_setting('downbeat.shown_at')::timestamptz
$$;
--> statement-breakpoint
create function delayed.shown_tournament() returns uuid language sql stable as $$
  select current_setting('downbeat.shown_tournament')::uuid
$$;
--> statement-breakpoint
-- Has the transaction see a tournament through the views of this schema as it is shown with its delay.
-- `due_ms`: after so many milliseconds what is shown may change, without anything happening; null for never.
-- `up_to`: number of the newest event of the tournament that is shown.
create function delayed.show(the_tournament uuid, out seconds integer, out due_ms double precision, out up_to bigint)
language plpgsql as $$
declare
  shown timestamptz;
  next_change timestamptz;
begin
  select t.stream_delay_seconds, shown_instant(t.stream_delay_seconds, t.stream_delay_from, clock_timestamp())
  into seconds, shown from public.tournaments t where t.guid = the_tournament;
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
-- The instant at which the transaction changed something first: all of its changes count from there.
create function keeping_instant() returns timestamptz language plpgsql as $$
declare
  instant timestamptz := nullif(current_setting('downbeat.keeping_at', true), '');
begin
  if instant is null then
    instant := date_trunc('milliseconds', clock_timestamp());
    perform set_config('downbeat.keeping_at', instant::text, true);
  end if;
  return instant;
end
$$;
--> statement-breakpoint
-- Has earlier rows of a table kept for tournaments with a delay, and makes the view that shows them. Call it again after
-- columns of the table have changed; before one is dropped, drop the view.
-- `key` and `tournament`: expressions over a row named `r`; neither ever changes of a row.
create function keep_earlier(relation text, key text, tournament text) returns void language plpgsql as $$
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
      if not exists (select from public.tournaments where stream_delay_seconds > 0) then return null; end if;
      instant := keeping_instant();
      if tg_op = 'INSERT' then
        insert into public.earlier_rows (tournament_guid, relation, key, since, until, row)
        select t.guid, %1$L, %2$s, coalesce(kept.until, '-infinity'), instant, null
        from new_rows r join public.tournaments t on t.guid = %3$s and t.stream_delay_seconds > 0
        left join lateral (
          select max(e.until) as until from public.earlier_rows e where e.relation = %1$L and e.key = %2$s
        ) kept on true
        where kept.until is null or kept.until < instant;
      else
        insert into public.earlier_rows (tournament_guid, relation, key, since, until, row)
        select t.guid, %1$L, %2$s, coalesce(kept.until, '-infinity'), instant, to_jsonb(r)
        from old_rows r join public.tournaments t on t.guid = %3$s and t.stream_delay_seconds > 0
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
  keep_earlier('matches', 'r.guid::text', 'r.tournament_guid');
