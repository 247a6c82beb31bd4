CREATE TABLE "set_aside_events" (
	"seq" bigint NOT NULL,
	"follower" text NOT NULL,
	"error" text NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "set_aside_events_seq_follower_pk" PRIMARY KEY("seq","follower")
);
--> statement-breakpoint
ALTER TABLE "set_aside_events" ADD CONSTRAINT "set_aside_events_seq_event_log_seq_fk" FOREIGN KEY ("seq") REFERENCES "public"."event_log"("seq") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "event_log_outside" ON "event_log" USING btree ("at") WHERE "event_log"."tournament" is null;--> statement-breakpoint
CREATE INDEX "event_log_ended" ON "event_log" USING btree ("at") WHERE "event_log"."type" = 'tournament.deleted';--> statement-breakpoint
-- Updates that were deleted take their texts along, out of the log too; nothing did so until now.
UPDATE "event_log" SET
  "before" = CASE "type" WHEN 'update.deleted' THEN null ELSE "before" - '{title,content,changes}'::text[] END,
  "after" = "after" - '{title,content,changes}'::text[]
WHERE "type" LIKE 'update.%' AND "subject" IN (SELECT "subject" FROM "event_log" WHERE "type" = 'update.deleted');
