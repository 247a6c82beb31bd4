ALTER TABLE "event_log" ADD COLUMN "rights" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "event_log_rights" ON "event_log" USING btree ("seq") WHERE "event_log"."rights";--> statement-breakpoint
drop function emit_event(text, uuid, uuid, uuid, jsonb, jsonb, text[]);
--> statement-breakpoint
-- Appends to the event log. The lock is held until the transaction ends, and the number is drawn under it, so that the
-- order of numbers is the order of commits: a reader that has seen number n will never see a smaller one appear.
create function emit_event(
  type text, subject uuid, tournament uuid, actor uuid, before jsonb, after jsonb, touches text[],
  rights boolean default false
) returns bigint language plpgsql as $$
declare
  number bigint;
begin
  perform pg_advisory_xact_lock(7305518001);
  number := nextval('event_log_seq');
  insert into event_log (seq, type, subject, tournament, actor, before, after, touches, rights)
  values (number, type, subject, tournament, actor, before, after, touches, rights);
  return number;
end
$$;
--> statement-breakpoint
-- Whether a user may do less than at event number `since`: anywhere, or in the tournament.
create function rights_changed(since bigint, the_user uuid, the_tournament uuid) returns boolean language plpgsql as $$
begin
  return exists (
    select from event_log e
    where e.rights and e.seq > since and (e.subject = the_user or e.tournament = the_tournament)
  );
end
$$;
--> statement-breakpoint
-- The same at the commit of what the user does: it fails when they may do less, and nothing that would take anything from
-- them is committed in front of it from here on.
create function hold_rights(since bigint, the_user uuid, the_tournament uuid) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(7305518001);
  if rights_changed(since, the_user, the_tournament) then
    raise exception using errcode = 'DB001', message = 'what the user may do has changed';
  end if;
end
$$;
