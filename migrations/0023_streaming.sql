CREATE TABLE "stream_assignments" (
	"guid" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"tournament_guid" uuid NOT NULL,
	"match_guid" uuid,
	"user_guid" uuid NOT NULL,
	"role" text NOT NULL,
	"side" smallint,
	"slot" smallint NOT NULL,
	"starts_at" timestamp (3) with time zone NOT NULL,
	"ends_at" timestamp (3) with time zone NOT NULL,
	"cancelled_at" timestamp (3) with time zone,
	"note" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "stream_assignments_role_known" CHECK ("stream_assignments"."role" in ('player', 'caster', 'observer')),
	CONSTRAINT "stream_assignments_side_known" CHECK ("stream_assignments"."side" in (1, 2)),
	CONSTRAINT "stream_assignments_slot_known" CHECK ("stream_assignments"."slot" between 1 and 6),
	CONSTRAINT "stream_assignments_end_after_start" CHECK ("stream_assignments"."ends_at" > "stream_assignments"."starts_at")
);
--> statement-breakpoint
CREATE TABLE "channel_entries" (
	"channel_guid" uuid NOT NULL,
	"match_guid" uuid NOT NULL,
	"position" smallint NOT NULL,
	"status" text NOT NULL,
	"planned_at" timestamp (3) with time zone,
	CONSTRAINT "channel_entries_channel_guid_match_guid_pk" PRIMARY KEY("channel_guid","match_guid"),
	CONSTRAINT "channel_entries_status_known" CHECK ("channel_entries"."status" in ('queued', 'next', 'live', 'done'))
);
--> statement-breakpoint
CREATE TABLE "channel_lists" (
	"tournament_guid" uuid PRIMARY KEY NOT NULL,
	"revision" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "channels" (
	"guid" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"tournament_guid" uuid NOT NULL,
	"name" text NOT NULL,
	"url" text NOT NULL,
	"delay_seconds" integer DEFAULT 0 NOT NULL,
	"position" smallint NOT NULL,
	"queue_revision" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "channels_delay" CHECK ("channels"."delay_seconds" between 0 and 1800)
);
--> statement-breakpoint
CREATE TABLE "stream_keys" (
	"guid" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_guid" uuid NOT NULL,
	"label" text NOT NULL,
	"digest" "bytea" NOT NULL,
	"sealed" text NOT NULL,
	"last_four" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp (3) with time zone,
	"expires_at" timestamp (3) with time zone,
	"networks" text[] DEFAULT '{}' NOT NULL
);
--> statement-breakpoint
CREATE TABLE "stream_servers" (
	"guid" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"assignment_required" boolean DEFAULT true NOT NULL,
	"ingest" jsonb NOT NULL,
	"play" jsonb NOT NULL,
	"control" jsonb,
	"sealed_secret" text NOT NULL,
	"sealed_previous_secret" text,
	"previous_secret_until" timestamp (3) with time zone,
	"networks" text[] DEFAULT '{}' NOT NULL,
	"last_seen_at" timestamp (3) with time zone,
	"control_error" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "stream_servers_kind_known" CHECK ("stream_servers"."kind" in ('mediamtx', 'ovenmediaengine', 'srs', 'nginx-rtmp', 'generic')),
	CONSTRAINT "stream_servers_previous_until" CHECK (("stream_servers"."sealed_previous_secret" is null) = ("stream_servers"."previous_secret_until" is null))
);
--> statement-breakpoint
CREATE UNLOGGED TABLE "stream_health" (
	"session_guid" uuid PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone NOT NULL,
	"width" integer,
	"height" integer,
	"fps" real,
	"video_kbps" real,
	"audio_kbps" real,
	"readers" integer
);
--> statement-breakpoint
CREATE TABLE "stream_sessions" (
	"guid" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_guid" uuid NOT NULL,
	"server_guid" uuid NOT NULL,
	"protocol" text NOT NULL,
	"path" text NOT NULL,
	"assignment_guid" uuid,
	"tournament_guid" uuid,
	"test" boolean NOT NULL,
	"key_guid" uuid,
	"key_digest" "bytea",
	"client_id" text,
	"started_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"ends_by" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone,
	"end_reason" text,
	"cut" text,
	"address" text,
	"missed" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "stream_sessions_ended_when" CHECK (("stream_sessions"."ended_at" is null) = ("stream_sessions"."end_reason" is null)),
	CONSTRAINT "stream_sessions_cut_known" CHECK ("stream_sessions"."cut" in ('requested', 'confirmed', 'failed'))
);
--> statement-breakpoint
CREATE TABLE "leases" (
	"name" text PRIMARY KEY NOT NULL,
	"holder" text NOT NULL,
	"until" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "stream_assignments" ADD CONSTRAINT "stream_assignments_tournament_guid_tournaments_guid_fk" FOREIGN KEY ("tournament_guid") REFERENCES "public"."tournaments"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stream_assignments" ADD CONSTRAINT "stream_assignments_match_guid_matches_guid_fk" FOREIGN KEY ("match_guid") REFERENCES "public"."matches"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stream_assignments" ADD CONSTRAINT "stream_assignments_user_guid_users_guid_fk" FOREIGN KEY ("user_guid") REFERENCES "public"."users"("guid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channel_entries" ADD CONSTRAINT "channel_entries_channel_guid_channels_guid_fk" FOREIGN KEY ("channel_guid") REFERENCES "public"."channels"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channel_entries" ADD CONSTRAINT "channel_entries_match_guid_matches_guid_fk" FOREIGN KEY ("match_guid") REFERENCES "public"."matches"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channel_lists" ADD CONSTRAINT "channel_lists_tournament_guid_tournaments_guid_fk" FOREIGN KEY ("tournament_guid") REFERENCES "public"."tournaments"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "channels" ADD CONSTRAINT "channels_tournament_guid_tournaments_guid_fk" FOREIGN KEY ("tournament_guid") REFERENCES "public"."tournaments"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stream_keys" ADD CONSTRAINT "stream_keys_user_guid_users_guid_fk" FOREIGN KEY ("user_guid") REFERENCES "public"."users"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stream_health" ADD CONSTRAINT "stream_health_session_guid_stream_sessions_guid_fk" FOREIGN KEY ("session_guid") REFERENCES "public"."stream_sessions"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stream_sessions" ADD CONSTRAINT "stream_sessions_user_guid_users_guid_fk" FOREIGN KEY ("user_guid") REFERENCES "public"."users"("guid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stream_sessions" ADD CONSTRAINT "stream_sessions_server_guid_stream_servers_guid_fk" FOREIGN KEY ("server_guid") REFERENCES "public"."stream_servers"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stream_sessions" ADD CONSTRAINT "stream_sessions_assignment_guid_stream_assignments_guid_fk" FOREIGN KEY ("assignment_guid") REFERENCES "public"."stream_assignments"("guid") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "stream_sessions" ADD CONSTRAINT "stream_sessions_tournament_guid_tournaments_guid_fk" FOREIGN KEY ("tournament_guid") REFERENCES "public"."tournaments"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "stream_assignments_tournament" ON "stream_assignments" USING btree ("tournament_guid","starts_at","guid");--> statement-breakpoint
CREATE INDEX "stream_assignments_match" ON "stream_assignments" USING btree ("match_guid") WHERE "stream_assignments"."match_guid" is not null;--> statement-breakpoint
CREATE INDEX "stream_assignments_user" ON "stream_assignments" USING btree ("user_guid","ends_at");--> statement-breakpoint
CREATE INDEX "channel_entries_match" ON "channel_entries" USING btree ("match_guid");--> statement-breakpoint
CREATE UNIQUE INDEX "channel_entries_one_live" ON "channel_entries" USING btree ("channel_guid") WHERE "channel_entries"."status" = 'live';--> statement-breakpoint
CREATE UNIQUE INDEX "channel_entries_one_next" ON "channel_entries" USING btree ("channel_guid") WHERE "channel_entries"."status" = 'next';--> statement-breakpoint
CREATE INDEX "channels_tournament" ON "channels" USING btree ("tournament_guid","position");--> statement-breakpoint
CREATE UNIQUE INDEX "stream_keys_digest_unique" ON "stream_keys" USING btree ("digest");--> statement-breakpoint
CREATE INDEX "stream_keys_user" ON "stream_keys" USING btree ("user_guid","created_at");--> statement-breakpoint
CREATE INDEX "stream_keys_expiring" ON "stream_keys" USING btree ("expires_at") WHERE "stream_keys"."expires_at" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "stream_servers_name_unique" ON "stream_servers" USING btree (lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "stream_sessions_live_unique" ON "stream_sessions" USING btree ("user_guid","server_guid") WHERE "stream_sessions"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "stream_sessions_live_of_server" ON "stream_sessions" USING btree ("server_guid") WHERE "stream_sessions"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "stream_sessions_live_by_key" ON "stream_sessions" USING btree ("key_guid") WHERE "stream_sessions"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "stream_sessions_ending" ON "stream_sessions" USING btree ("ends_by") WHERE "stream_sessions"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "stream_sessions_tournament" ON "stream_sessions" USING btree ("tournament_guid","started_at","guid");--> statement-breakpoint
CREATE INDEX "stream_sessions_assignment" ON "stream_sessions" USING btree ("assignment_guid") WHERE "stream_sessions"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "stream_sessions_user" ON "stream_sessions" USING btree ("user_guid","started_at");--> statement-breakpoint
CREATE INDEX "stream_sessions_listed" ON "stream_sessions" USING btree ("started_at","guid");--> statement-breakpoint
CREATE INDEX "stream_sessions_address" ON "stream_sessions" USING btree ("started_at") WHERE "stream_sessions"."address" is not null;