CREATE TABLE "tournament_role_holders" (
	"tournament_guid" uuid NOT NULL,
	"user_guid" uuid NOT NULL,
	"role" text NOT NULL,
	"granted_by" uuid,
	"granted_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "tournament_role_holders_tournament_guid_user_guid_role_pk" PRIMARY KEY("tournament_guid","user_guid","role"),
	CONSTRAINT "tournament_role_holders_role_known" CHECK (role in ('role:admin', 'role:staff', 'role:coordinator', 'role:hcoordinator', 'role:pooler', 'role:hpooler', 'role:caster', 'role:hcaster', 'role:host', 'role:referee'))
);
--> statement-breakpoint
CREATE TABLE "notifications" (
	"guid" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_guid" uuid NOT NULL,
	"type" text NOT NULL,
	"title" text NOT NULL,
	"body" text DEFAULT '' NOT NULL,
	"data" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"read_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "platform_members" (
	"platform_guid" uuid NOT NULL,
	"user_guid" uuid NOT NULL,
	"role" text NOT NULL,
	"added_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "platform_members_platform_guid_user_guid_pk" PRIMARY KEY("platform_guid","user_guid"),
	CONSTRAINT "platform_members_role_known" CHECK ("platform_members"."role" in ('admin', 'reviewer'))
);
--> statement-breakpoint
CREATE TABLE "platforms" (
	"guid" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"context_id" text NOT NULL,
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"image_url" text DEFAULT '' NOT NULL,
	"website_url" text,
	"is_system" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "ranking_profiles" (
	"platform" text NOT NULL,
	"external_id" text NOT NULL,
	"name" text,
	"country" text,
	"rank" integer,
	"fetched_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "ranking_profiles_platform_external_id_pk" PRIMARY KEY("platform","external_id")
);
--> statement-breakpoint
CREATE TABLE "appearances" (
	"user_guid" uuid NOT NULL,
	"tournament_guid" uuid NOT NULL,
	"first_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "appearances_user_guid_tournament_guid_pk" PRIMARY KEY("user_guid","tournament_guid")
);
--> statement-breakpoint
CREATE TABLE "field_answers" (
	"guid" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"team_guid" uuid NOT NULL,
	"field_guid" uuid NOT NULL,
	"user_guid" uuid,
	"response" jsonb NOT NULL,
	"answered_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"guid" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_guid" uuid NOT NULL,
	"secret_hash" "bytea",
	"user_agent" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"last_seen_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"revoked_at" timestamp (3) with time zone,
	CONSTRAINT "sessions_secret_hash" UNIQUE("secret_hash")
);
--> statement-breakpoint
CREATE TABLE "team_invitations" (
	"guid" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"team_guid" uuid NOT NULL,
	"tournament_guid" uuid NOT NULL,
	"user_guid" uuid NOT NULL,
	"invited_by_guid" uuid NOT NULL,
	"by_organiser" boolean DEFAULT false NOT NULL,
	"message" text,
	"status" text DEFAULT 'pending' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"decided_at" timestamp (3) with time zone,
	CONSTRAINT "team_invitations_status_known" CHECK ("team_invitations"."status" in ('pending', 'accepted', 'declined', 'revoked'))
);
--> statement-breakpoint
CREATE TABLE "team_members" (
	"team_guid" uuid NOT NULL,
	"tournament_guid" uuid NOT NULL,
	"user_guid" uuid NOT NULL,
	"is_active" boolean DEFAULT true NOT NULL,
	"joined_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "team_members_team_guid_user_guid_pk" PRIMARY KEY("team_guid","user_guid")
);
--> statement-breakpoint
CREATE TABLE "teams" (
	"guid" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"tournament_guid" uuid NOT NULL,
	"id" text NOT NULL,
	"name" text NOT NULL,
	"image_url" text,
	"color" text,
	"captain_guid" uuid NOT NULL,
	"status" text DEFAULT 'unregistered' NOT NULL,
	"seed" integer,
	"roster_locked" boolean DEFAULT false NOT NULL,
	"registered_at" timestamp (3) with time zone,
	"withdrawn_at" timestamp (3) with time zone,
	"withdrawn_reason" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "teams_status_known" CHECK ("teams"."status" in ('unregistered', 'registered', 'qualified')),
	CONSTRAINT "teams_seed_positive" CHECK ("teams"."seed" >= 1)
);
--> statement-breakpoint
CREATE TABLE "timeline_events" (
	"guid" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"tournament_guid" uuid NOT NULL,
	"title" text NOT NULL,
	"description" text,
	"icon" text NOT NULL,
	"start_time" timestamp (3) with time zone NOT NULL,
	"end_time" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "listings" (
	"platform_guid" uuid NOT NULL,
	"tournament_guid" uuid NOT NULL,
	"status" text NOT NULL,
	"sort_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "listings_platform_guid_tournament_guid_pk" PRIMARY KEY("platform_guid","tournament_guid")
);
--> statement-breakpoint
CREATE TABLE "tournament_counts" (
	"tournament_guid" uuid PRIMARY KEY NOT NULL,
	"teams" integer DEFAULT 0 NOT NULL,
	"registered" integer DEFAULT 0 NOT NULL,
	"qualified" integer DEFAULT 0 NOT NULL,
	"players" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "tournament_counts_sane" CHECK (0 <= "tournament_counts"."qualified" and "tournament_counts"."qualified" <= "tournament_counts"."registered" and "tournament_counts"."registered" <= "tournament_counts"."teams" and 0 <= "tournament_counts"."players")
);
--> statement-breakpoint
CREATE TABLE "tournaments" (
	"guid" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"id" text NOT NULL,
	"name" text NOT NULL,
	"summary" text,
	"description" text,
	"rules" text,
	"prizes" text,
	"image_url" text,
	"banner_url" text,
	"status" text DEFAULT 'draft' NOT NULL,
	"timezone" text DEFAULT 'UTC' NOT NULL,
	"starts_at" timestamp (3) with time zone,
	"ends_at" timestamp (3) with time zone,
	"registration_opens_at" timestamp (3) with time zone,
	"registration_closes_at" timestamp (3) with time zone,
	"roster_locks_at" timestamp (3) with time zone,
	"team_size_min" integer NOT NULL,
	"team_size_max" integer NOT NULL,
	"team_size_active" integer NOT NULL,
	"capacity" integer,
	"public_registration" boolean DEFAULT true NOT NULL,
	"requirements" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"additional_fields" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"links" jsonb NOT NULL,
	"organiser_guid" uuid NOT NULL,
	"visibility_scope" text DEFAULT 'selected' NOT NULL,
	"chat_webhook_url" text,
	"placements" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"approved_at" timestamp (3) with time zone,
	"completed_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"search" "tsvector" GENERATED ALWAYS AS (to_tsvector('simple', translate("tournaments"."name" || ' ' || "tournaments"."id", '!"#$%&()*+,-./:;<=>?@[]^_`{|}~', '                              '))) STORED,
	CONSTRAINT "tournaments_status_known" CHECK ("tournaments"."status" in ('draft', 'approved', 'ongoing', 'completed', 'cancelled')),
	CONSTRAINT "tournaments_team_size" CHECK (1 <= "tournaments"."team_size_min" and "tournaments"."team_size_min" <= "tournaments"."team_size_max" and "tournaments"."team_size_max" <= 16 and "tournaments"."team_size_active" between 1 and "tournaments"."team_size_max"),
	CONSTRAINT "tournaments_capacity" CHECK ("tournaments"."capacity" between 2 and 4096)
);
--> statement-breakpoint
CREATE TABLE "identities" (
	"user_guid" uuid NOT NULL,
	"platform" text NOT NULL,
	"external_id" text NOT NULL,
	"verified_at" timestamp (3) with time zone,
	"proof_code" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "identities_user_guid_platform_pk" PRIMARY KEY("user_guid","platform"),
	CONSTRAINT "identities_platform_known" CHECK ("identities"."platform" in ('ranking-a', 'ranking-b', 'streaming'))
);
--> statement-breakpoint
CREATE TABLE "users" (
	"guid" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"chat_platform_id" text NOT NULL,
	"username" text NOT NULL,
	"preferred_name" text NOT NULL,
	"avatar_url" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"pronouns" text,
	"headset" text,
	"grip" text,
	"controllers" text,
	"country" text,
	"email" text,
	"email_verified_at" timestamp (3) with time zone,
	"is_bot" boolean DEFAULT false NOT NULL,
	"global_roles" text[] DEFAULT '{}' NOT NULL,
	"banned_at" timestamp (3) with time zone,
	"ban_reason" text,
	"credentials_valid_from" timestamp (3) with time zone DEFAULT 'epoch' NOT NULL,
	"anonymised_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "users_chat_platform_id" UNIQUE("chat_platform_id"),
	CONSTRAINT "users_country_form" CHECK ("users"."country" ~ '^[A-Z]{2}$')
);
--> statement-breakpoint
CREATE TABLE "visibility_requests" (
	"guid" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"tournament_guid" uuid NOT NULL,
	"platform_guid" uuid NOT NULL,
	"status" text NOT NULL,
	"reason" text,
	"requested_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"decided_at" timestamp (3) with time zone,
	"decided_by_guid" uuid,
	CONSTRAINT "visibility_requests_status_known" CHECK ("visibility_requests"."status" in ('pending', 'approved', 'rejected', 'blocked', 'withdrawn'))
);
--> statement-breakpoint
CREATE TABLE "event_log" (
	"seq" bigint PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone DEFAULT clock_timestamp() NOT NULL,
	"type" text NOT NULL,
	"subject" uuid,
	"tournament" uuid,
	"actor" uuid,
	"before" jsonb,
	"after" jsonb,
	"touches" text[] NOT NULL
);
--> statement-breakpoint
CREATE TABLE "followers" (
	"name" text PRIMARY KEY NOT NULL,
	"position" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "access_tokens" (
	"jti" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_guid" uuid NOT NULL,
	"client_id" text,
	"session_guid" uuid,
	"scopes" text[] NOT NULL,
	"issued_at" timestamp (3) with time zone NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"revoked_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "tournament_role_holders" ADD CONSTRAINT "tournament_role_holders_tournament_guid_tournaments_guid_fk" FOREIGN KEY ("tournament_guid") REFERENCES "public"."tournaments"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tournament_role_holders" ADD CONSTRAINT "tournament_role_holders_user_guid_users_guid_fk" FOREIGN KEY ("user_guid") REFERENCES "public"."users"("guid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tournament_role_holders" ADD CONSTRAINT "tournament_role_holders_granted_by_users_guid_fk" FOREIGN KEY ("granted_by") REFERENCES "public"."users"("guid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_user_guid_users_guid_fk" FOREIGN KEY ("user_guid") REFERENCES "public"."users"("guid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "platform_members" ADD CONSTRAINT "platform_members_platform_guid_platforms_guid_fk" FOREIGN KEY ("platform_guid") REFERENCES "public"."platforms"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "platform_members" ADD CONSTRAINT "platform_members_user_guid_users_guid_fk" FOREIGN KEY ("user_guid") REFERENCES "public"."users"("guid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "appearances" ADD CONSTRAINT "appearances_user_guid_users_guid_fk" FOREIGN KEY ("user_guid") REFERENCES "public"."users"("guid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "appearances" ADD CONSTRAINT "appearances_tournament_guid_tournaments_guid_fk" FOREIGN KEY ("tournament_guid") REFERENCES "public"."tournaments"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "field_answers" ADD CONSTRAINT "field_answers_team_guid_teams_guid_fk" FOREIGN KEY ("team_guid") REFERENCES "public"."teams"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "field_answers" ADD CONSTRAINT "field_answers_user_guid_users_guid_fk" FOREIGN KEY ("user_guid") REFERENCES "public"."users"("guid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_user_guid_users_guid_fk" FOREIGN KEY ("user_guid") REFERENCES "public"."users"("guid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "team_invitations" ADD CONSTRAINT "team_invitations_team_guid_teams_guid_fk" FOREIGN KEY ("team_guid") REFERENCES "public"."teams"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "team_invitations" ADD CONSTRAINT "team_invitations_tournament_guid_tournaments_guid_fk" FOREIGN KEY ("tournament_guid") REFERENCES "public"."tournaments"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "team_invitations" ADD CONSTRAINT "team_invitations_user_guid_users_guid_fk" FOREIGN KEY ("user_guid") REFERENCES "public"."users"("guid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "team_invitations" ADD CONSTRAINT "team_invitations_invited_by_guid_users_guid_fk" FOREIGN KEY ("invited_by_guid") REFERENCES "public"."users"("guid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "team_members" ADD CONSTRAINT "team_members_team_guid_teams_guid_fk" FOREIGN KEY ("team_guid") REFERENCES "public"."teams"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "team_members" ADD CONSTRAINT "team_members_tournament_guid_tournaments_guid_fk" FOREIGN KEY ("tournament_guid") REFERENCES "public"."tournaments"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "team_members" ADD CONSTRAINT "team_members_user_guid_users_guid_fk" FOREIGN KEY ("user_guid") REFERENCES "public"."users"("guid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "teams" ADD CONSTRAINT "teams_tournament_guid_tournaments_guid_fk" FOREIGN KEY ("tournament_guid") REFERENCES "public"."tournaments"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "teams" ADD CONSTRAINT "teams_captain_guid_users_guid_fk" FOREIGN KEY ("captain_guid") REFERENCES "public"."users"("guid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "timeline_events" ADD CONSTRAINT "timeline_events_tournament_guid_tournaments_guid_fk" FOREIGN KEY ("tournament_guid") REFERENCES "public"."tournaments"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "listings" ADD CONSTRAINT "listings_tournament_guid_tournaments_guid_fk" FOREIGN KEY ("tournament_guid") REFERENCES "public"."tournaments"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tournament_counts" ADD CONSTRAINT "tournament_counts_tournament_guid_tournaments_guid_fk" FOREIGN KEY ("tournament_guid") REFERENCES "public"."tournaments"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tournaments" ADD CONSTRAINT "tournaments_organiser_guid_users_guid_fk" FOREIGN KEY ("organiser_guid") REFERENCES "public"."users"("guid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "identities" ADD CONSTRAINT "identities_user_guid_users_guid_fk" FOREIGN KEY ("user_guid") REFERENCES "public"."users"("guid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "visibility_requests" ADD CONSTRAINT "visibility_requests_tournament_guid_tournaments_guid_fk" FOREIGN KEY ("tournament_guid") REFERENCES "public"."tournaments"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "visibility_requests" ADD CONSTRAINT "visibility_requests_platform_guid_platforms_guid_fk" FOREIGN KEY ("platform_guid") REFERENCES "public"."platforms"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "visibility_requests" ADD CONSTRAINT "visibility_requests_decided_by_guid_users_guid_fk" FOREIGN KEY ("decided_by_guid") REFERENCES "public"."users"("guid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "access_tokens" ADD CONSTRAINT "access_tokens_user_guid_users_guid_fk" FOREIGN KEY ("user_guid") REFERENCES "public"."users"("guid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "tournament_role_holders_user" ON "tournament_role_holders" USING btree ("user_guid");--> statement-breakpoint
CREATE INDEX "notifications_of_user" ON "notifications" USING btree ("user_guid","created_at","guid");--> statement-breakpoint
CREATE INDEX "platform_members_user" ON "platform_members" USING btree ("user_guid");--> statement-breakpoint
CREATE UNIQUE INDEX "platforms_context_id" ON "platforms" USING btree ("context_id");--> statement-breakpoint
CREATE UNIQUE INDEX "platforms_one_system" ON "platforms" USING btree ("is_system") WHERE "platforms"."is_system";--> statement-breakpoint
CREATE INDEX "appearances_of_tournament" ON "appearances" USING btree ("tournament_guid");--> statement-breakpoint
CREATE UNIQUE INDEX "field_answers_one" ON "field_answers" USING btree ("team_guid","field_guid",coalesce("user_guid", '00000000-0000-0000-0000-000000000000'));--> statement-breakpoint
CREATE INDEX "sessions_of_user" ON "sessions" USING btree ("user_guid","created_at","guid");--> statement-breakpoint
CREATE INDEX "sessions_expiry" ON "sessions" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "team_invitations_one_pending" ON "team_invitations" USING btree ("team_guid","user_guid") WHERE "team_invitations"."status" = 'pending';--> statement-breakpoint
CREATE INDEX "team_invitations_of_team" ON "team_invitations" USING btree ("team_guid","created_at");--> statement-breakpoint
CREATE INDEX "team_invitations_of_user" ON "team_invitations" USING btree ("user_guid","status");--> statement-breakpoint
CREATE UNIQUE INDEX "team_members_one_team" ON "team_members" USING btree ("tournament_guid","user_guid");--> statement-breakpoint
CREATE INDEX "team_members_of_user" ON "team_members" USING btree ("user_guid");--> statement-breakpoint
CREATE UNIQUE INDEX "teams_id" ON "teams" USING btree ("tournament_guid","id");--> statement-breakpoint
CREATE UNIQUE INDEX "teams_name" ON "teams" USING btree ("tournament_guid",lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "teams_captain" ON "teams" USING btree ("tournament_guid","captain_guid");--> statement-breakpoint
CREATE INDEX "teams_order" ON "teams" USING btree ("tournament_guid","created_at","guid");--> statement-breakpoint
CREATE INDEX "teams_captained" ON "teams" USING btree ("captain_guid");--> statement-breakpoint
CREATE INDEX "timeline_events_order" ON "timeline_events" USING btree ("tournament_guid","start_time","guid");--> statement-breakpoint
CREATE INDEX "listings_order" ON "listings" USING btree ("platform_guid","sort_at","tournament_guid");--> statement-breakpoint
CREATE INDEX "listings_status_order" ON "listings" USING btree ("platform_guid","status","sort_at","tournament_guid");--> statement-breakpoint
CREATE INDEX "listings_tournament" ON "listings" USING btree ("tournament_guid");--> statement-breakpoint
CREATE UNIQUE INDEX "tournaments_id" ON "tournaments" USING btree ("id");--> statement-breakpoint
CREATE INDEX "tournaments_organiser" ON "tournaments" USING btree ("organiser_guid","approved_at");--> statement-breakpoint
CREATE INDEX "tournaments_search" ON "tournaments" USING gin ("search");--> statement-breakpoint
CREATE INDEX "tournaments_span" ON "tournaments" USING gist (tstzrange(coalesce("starts_at", "ends_at"), coalesce("ends_at", "starts_at"), '[]')) WHERE coalesce("tournaments"."starts_at", "tournaments"."ends_at") is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "identities_one_owner" ON "identities" USING btree ("platform","external_id") WHERE "identities"."verified_at" is not null;--> statement-breakpoint
CREATE INDEX "users_name_search" ON "users" USING btree (lower("username") text_pattern_ops);--> statement-breakpoint
CREATE INDEX "users_preferred_name_search" ON "users" USING btree (lower("preferred_name") text_pattern_ops);--> statement-breakpoint
CREATE INDEX "users_newest" ON "users" USING btree ("created_at","guid");--> statement-breakpoint
CREATE INDEX "users_owners" ON "users" USING btree ("guid") WHERE "users"."global_roles" @> '{role:owner}';--> statement-breakpoint
CREATE UNIQUE INDEX "visibility_requests_one" ON "visibility_requests" USING btree ("tournament_guid","platform_guid");--> statement-breakpoint
CREATE INDEX "visibility_requests_queue" ON "visibility_requests" USING btree ("platform_guid","status","requested_at");--> statement-breakpoint
CREATE INDEX "event_log_tournament" ON "event_log" USING btree ("tournament","seq");--> statement-breakpoint
CREATE INDEX "access_tokens_of_user" ON "access_tokens" USING btree ("user_guid");--> statement-breakpoint
CREATE INDEX "access_tokens_of_session" ON "access_tokens" USING btree ("session_guid") WHERE "access_tokens"."session_guid" is not null;--> statement-breakpoint
CREATE INDEX "access_tokens_expiry" ON "access_tokens" USING btree ("expires_at");