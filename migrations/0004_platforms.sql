CREATE TABLE "notices" (
	"guid" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"title" text NOT NULL,
	"content" text NOT NULL,
	"level" text NOT NULL,
	"link" text,
	"starts_at" timestamp (3) with time zone NOT NULL,
	"ends_at" timestamp (3) with time zone,
	"dismissible" boolean NOT NULL,
	"audience" text NOT NULL,
	"created_by_guid" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "notices_level_known" CHECK ("notices"."level" in ('info', 'warning', 'critical')),
	CONSTRAINT "notices_audience_known" CHECK ("notices"."audience" in ('everyone', 'signed-in', 'staff')),
	CONSTRAINT "notices_end_after_start" CHECK ("notices"."ends_at" > "notices"."starts_at")
);
--> statement-breakpoint
CREATE TABLE "platform_settings" (
	"platform_guid" uuid PRIMARY KEY NOT NULL,
	"chat_webhook_url" text,
	"custom_webhook_url" text,
	"custom_webhook_secret" text,
	"webhook_events" text[] DEFAULT '{}' NOT NULL
);
--> statement-breakpoint
CREATE TABLE "chat_channels" (
	"scope" text PRIMARY KEY NOT NULL,
	"paused_until" timestamp (3) with time zone,
	"held_by" text,
	"held_until" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "update_deliveries" (
	"update_guid" uuid PRIMARY KEY NOT NULL,
	"status" text NOT NULL,
	"revision" integer NOT NULL,
	"attempts" integer NOT NULL,
	"failures" integer NOT NULL,
	"last_error" text,
	"next_attempt_at" timestamp (3) with time zone,
	"give_up_at" timestamp (3) with time zone,
	"updated_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "update_deliveries_status_known" CHECK ("update_deliveries"."status" in ('pending', 'sending', 'delivered', 'failed', 'removing', 'removal_failed'))
);
--> statement-breakpoint
CREATE TABLE "update_parts" (
	"update_guid" uuid NOT NULL,
	"index" integer NOT NULL,
	"status" text NOT NULL,
	"message" json,
	"message_id" text,
	"webhook_url" text,
	"revision" integer NOT NULL,
	"uncertain_since" timestamp (3) with time zone,
	CONSTRAINT "update_parts_update_guid_index_pk" PRIMARY KEY("update_guid","index"),
	CONSTRAINT "update_parts_status_known" CHECK ("update_parts"."status" in ('pending', 'sending', 'delivered', 'failed', 'removing', 'removal_failed'))
);
--> statement-breakpoint
CREATE TABLE "updates" (
	"guid" uuid PRIMARY KEY NOT NULL,
	"tournament_guid" uuid NOT NULL,
	"author_guid" uuid NOT NULL,
	"title" text NOT NULL,
	"content" text NOT NULL,
	"changes" json NOT NULL,
	"published_hash" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone,
	"deleted_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "visibility_decisions" (
	"number" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "visibility_decisions_number_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"request_guid" uuid NOT NULL,
	"decision" text NOT NULL,
	"reason" text,
	"decided_at" timestamp (3) with time zone NOT NULL,
	"decided_by_guid" uuid NOT NULL,
	CONSTRAINT "visibility_decisions_known" CHECK ("visibility_decisions"."decision" in ('approved', 'rejected', 'blocked'))
);
--> statement-breakpoint
CREATE TABLE "webhook_attempts" (
	"number" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "webhook_attempts_number_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"delivery_guid" uuid NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"status" integer,
	"duration_ms" integer,
	"error" text
);
--> statement-breakpoint
CREATE TABLE "webhook_deliveries" (
	"guid" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"platform_guid" uuid NOT NULL,
	"channel" text NOT NULL,
	"event" text NOT NULL,
	"event_seq" bigint NOT NULL,
	"user_guid" uuid,
	"body" text NOT NULL,
	"status" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone NOT NULL,
	"queued_at" timestamp (3) with time zone NOT NULL,
	"next_attempt_at" timestamp (3) with time zone NOT NULL,
	"finished_at" timestamp (3) with time zone,
	CONSTRAINT "webhook_deliveries_channel_known" CHECK ("webhook_deliveries"."channel" in ('chat', 'custom')),
	CONSTRAINT "webhook_deliveries_status_known" CHECK ("webhook_deliveries"."status" in ('pending', 'sending', 'delivered', 'failed', 'stopped')),
	CONSTRAINT "webhook_deliveries_finished_when" CHECK (("webhook_deliveries"."finished_at" is null) = ("webhook_deliveries"."status" in ('pending', 'sending')))
);
--> statement-breakpoint
CREATE TABLE "webhook_lines" (
	"platform_guid" uuid NOT NULL,
	"channel" text NOT NULL,
	"turn" uuid,
	"due_at" timestamp (3) with time zone,
	"stopped_for" "bytea",
	CONSTRAINT "webhook_lines_platform_guid_channel_pk" PRIMARY KEY("platform_guid","channel"),
	CONSTRAINT "webhook_lines_channel_known" CHECK ("webhook_lines"."channel" in ('chat', 'custom'))
);
--> statement-breakpoint
DROP INDEX "visibility_requests_queue";--> statement-breakpoint
ALTER TABLE "timeline_events" ADD COLUMN "updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL;--> statement-breakpoint
ALTER TABLE "notices" ADD CONSTRAINT "notices_created_by_guid_users_guid_fk" FOREIGN KEY ("created_by_guid") REFERENCES "public"."users"("guid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "platform_settings" ADD CONSTRAINT "platform_settings_platform_guid_platforms_guid_fk" FOREIGN KEY ("platform_guid") REFERENCES "public"."platforms"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "update_deliveries" ADD CONSTRAINT "update_deliveries_update_guid_updates_guid_fk" FOREIGN KEY ("update_guid") REFERENCES "public"."updates"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "update_parts" ADD CONSTRAINT "update_parts_update_guid_update_deliveries_update_guid_fk" FOREIGN KEY ("update_guid") REFERENCES "public"."update_deliveries"("update_guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "updates" ADD CONSTRAINT "updates_tournament_guid_tournaments_guid_fk" FOREIGN KEY ("tournament_guid") REFERENCES "public"."tournaments"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "updates" ADD CONSTRAINT "updates_author_guid_users_guid_fk" FOREIGN KEY ("author_guid") REFERENCES "public"."users"("guid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "visibility_decisions" ADD CONSTRAINT "visibility_decisions_request_guid_visibility_requests_guid_fk" FOREIGN KEY ("request_guid") REFERENCES "public"."visibility_requests"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "visibility_decisions" ADD CONSTRAINT "visibility_decisions_decided_by_guid_users_guid_fk" FOREIGN KEY ("decided_by_guid") REFERENCES "public"."users"("guid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_attempts" ADD CONSTRAINT "webhook_attempts_delivery_guid_webhook_deliveries_guid_fk" FOREIGN KEY ("delivery_guid") REFERENCES "public"."webhook_deliveries"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_platform_guid_platforms_guid_fk" FOREIGN KEY ("platform_guid") REFERENCES "public"."platforms"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_user_guid_users_guid_fk" FOREIGN KEY ("user_guid") REFERENCES "public"."users"("guid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_lines" ADD CONSTRAINT "webhook_lines_platform_guid_platforms_guid_fk" FOREIGN KEY ("platform_guid") REFERENCES "public"."platforms"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "notices_end" ON "notices" USING btree (coalesce("ends_at", 'infinity'::timestamptz));--> statement-breakpoint
CREATE INDEX "notices_newest" ON "notices" USING btree ("created_at","guid");--> statement-breakpoint
CREATE INDEX "notices_creator" ON "notices" USING btree ("created_by_guid","created_at");--> statement-breakpoint
CREATE INDEX "chat_channels_held" ON "chat_channels" USING btree ("held_by") WHERE "chat_channels"."held_by" is not null;--> statement-breakpoint
CREATE INDEX "updates_order" ON "updates" USING btree ("tournament_guid","created_at","guid") WHERE "updates"."deleted_at" is null;--> statement-breakpoint
CREATE INDEX "updates_author" ON "updates" USING btree ("author_guid","created_at","guid");--> statement-breakpoint
CREATE INDEX "visibility_decisions_request" ON "visibility_decisions" USING btree ("request_guid","number");--> statement-breakpoint
CREATE INDEX "visibility_decisions_decided_by" ON "visibility_decisions" USING btree ("decided_by_guid","number");--> statement-breakpoint
CREATE INDEX "webhook_attempts_of_delivery" ON "webhook_attempts" USING btree ("delivery_guid","number");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_line" ON "webhook_deliveries" USING btree ("platform_guid","channel","event_seq") WHERE "webhook_deliveries"."finished_at" is null;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_waiting" ON "webhook_deliveries" USING btree ("queued_at") WHERE "webhook_deliveries"."finished_at" is null;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_since" ON "webhook_deliveries" USING btree ("platform_guid","created_at","guid");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_by_status" ON "webhook_deliveries" USING btree ("platform_guid","status","event_seq","guid");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_finished" ON "webhook_deliveries" USING btree ("finished_at") WHERE "webhook_deliveries"."finished_at" is not null;--> statement-breakpoint
CREATE INDEX "webhook_deliveries_user" ON "webhook_deliveries" USING btree ("user_guid") WHERE "webhook_deliveries"."user_guid" is not null;--> statement-breakpoint
ALTER TABLE "listings" ADD CONSTRAINT "listings_platform_guid_platforms_guid_fk" FOREIGN KEY ("platform_guid") REFERENCES "public"."platforms"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "timeline_events_calendar" ON "timeline_events" USING btree ("start_time","guid");--> statement-breakpoint
CREATE INDEX "timeline_events_span" ON "timeline_events" USING gist (tstzrange("start_time", coalesce("end_time", "start_time"), '[]'));--> statement-breakpoint
CREATE INDEX "tournaments_calendar" ON "tournaments" USING btree (coalesce("starts_at", "ends_at"),"guid") WHERE coalesce("tournaments"."starts_at", "tournaments"."ends_at") is not null;--> statement-breakpoint
CREATE INDEX "tournaments_registration_span" ON "tournaments" USING gist (tstzrange(coalesce("registration_opens_at", "registration_closes_at"), coalesce("registration_closes_at", "registration_opens_at"), '[]')) WHERE "tournaments"."public_registration" and coalesce("tournaments"."registration_opens_at", "tournaments"."registration_closes_at") is not null;--> statement-breakpoint
CREATE INDEX "tournaments_registration_calendar" ON "tournaments" USING btree (coalesce("registration_opens_at", "registration_closes_at"),"guid") WHERE "tournaments"."public_registration" and coalesce("tournaments"."registration_opens_at", "tournaments"."registration_closes_at") is not null;--> statement-breakpoint
CREATE INDEX "tournaments_everywhere" ON "tournaments" USING btree ("guid") WHERE "tournaments"."visibility_scope" = 'all' and "tournaments"."status" in ('draft', 'approved', 'ongoing');--> statement-breakpoint
CREATE INDEX "visibility_requests_latest" ON "visibility_requests" USING btree ("requested_at","guid");--> statement-breakpoint
CREATE INDEX "visibility_requests_order" ON "visibility_requests" USING btree ("platform_guid","requested_at","guid");--> statement-breakpoint
CREATE INDEX "visibility_requests_queue" ON "visibility_requests" USING btree ("platform_guid","status","requested_at","guid");--> statement-breakpoint
-- Decisions from before there was a record of them.
INSERT INTO "visibility_decisions" ("request_guid", "decision", "reason", "decided_at", "decided_by_guid")
SELECT "guid", "status", "reason", "decided_at", "decided_by_guid" FROM "visibility_requests"
WHERE "status" IN ('approved', 'rejected', 'blocked') AND "decided_at" IS NOT NULL AND "decided_by_guid" IS NOT NULL
ORDER BY "decided_at";
