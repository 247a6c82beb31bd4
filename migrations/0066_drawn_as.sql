-- Copies of sessions go on with the GUID that their draws were made with.
alter table flow_sessions add column drawn_as uuid;
--> statement-breakpoint
alter table flow_sessions add constraint flow_sessions_drawn_as check (drawn_as <> guid);
