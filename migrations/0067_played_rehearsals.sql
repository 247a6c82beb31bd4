-- Where the clock of a rehearsal began.
alter table rehearsals add column begins_at timestamp (3) with time zone default now() not null;
--> statement-breakpoint
update rehearsals set begins_at = base;
--> statement-breakpoint
-- Whether simulated players caused the event; null for all other events.
alter table event_log add column simulated boolean;
--> statement-breakpoint
alter table event_log alter column simulated
  set default case when coalesce(current_setting('downbeat.simulated', true), '') = 'on' then true end;
