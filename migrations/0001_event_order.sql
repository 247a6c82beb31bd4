-- Appends to the event log. The lock is held until the transaction ends, and the number is drawn under it, so that the
-- order of numbers is the order of commits: a reader that has seen number n will never see a smaller one appear.
create sequence event_log_seq as bigint owned by event_log.seq;
--> statement-breakpoint
create function emit_event(
  type text, subject uuid, tournament uuid, actor uuid, before jsonb, after jsonb, touches text[]
) returns bigint language plpgsql as $$
declare
  number bigint;
begin
  perform pg_advisory_xact_lock(7305518001);
  number := nextval('event_log_seq');
  insert into event_log (seq, type, subject, tournament, actor, before, after, touches)
  values (number, type, subject, tournament, actor, before, after, touches);
  return number;
end
$$;
