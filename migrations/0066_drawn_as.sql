-- Copies of sessions go on with the GUID that their draws were made with.
alter table flow_sessions add column drawn_as uuid;
--> statement-breakpoint
alter table flow_sessions add constraint flow_sessions_drawn_as check (drawn_as <> guid);
--> statement-breakpoint
-- Of a restored pool: what was to be announced by then is not announced here.
alter table pools add column settled_at timestamp (3) with time zone;
--> statement-breakpoint
-- The view of earlier sessions has the new column, too.
select keep_earlier('flow_sessions', 'r.guid::text', 'r.tournament_guid');
