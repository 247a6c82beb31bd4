ALTER TABLE "stream_servers" ADD COLUMN "control_reason" text;--> statement-breakpoint
ALTER TABLE "stream_servers" ADD COLUMN "control_failing_since" timestamp (3) with time zone;
