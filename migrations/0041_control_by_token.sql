ALTER TABLE "assistant_sessions" ADD COLUMN "controller_token" uuid;--> statement-breakpoint
-- A closed session is in no phase but this one.
update assistant_sessions set phase = 'closed' where closed_at is not null;
