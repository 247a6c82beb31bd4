CREATE TABLE "assistant_deliveries" (
	"tournament_guid" uuid NOT NULL,
	"id" text NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "assistant_deliveries_tournament_guid_id_pk" PRIMARY KEY("tournament_guid","id")
);
--> statement-breakpoint
CREATE TABLE "assistant_links" (
	"tournament_guid" uuid PRIMARY KEY NOT NULL,
	"host" text NOT NULL,
	"port" integer NOT NULL,
	"tls" boolean NOT NULL,
	"certificate" text NOT NULL,
	"assistant_guid" text NOT NULL,
	"assistant_name" text NOT NULL,
	"token_kind" text NOT NULL,
	"sealed_token" text,
	"sealed_password" text,
	"acts_as" uuid,
	"version_code" integer,
	"qualifier_events" text[] DEFAULT '{}' NOT NULL,
	"banned_mods" text[] DEFAULT '{}' NOT NULL,
	"sealed_hook_secret" text,
	"enabled" boolean NOT NULL,
	"allow_modify" boolean NOT NULL,
	"defaults" jsonb NOT NULL,
	"state" text DEFAULT 'untested' NOT NULL,
	"last_connected_at" timestamp (3) with time zone,
	"server_version" integer,
	"permissions" text[] DEFAULT '{}' NOT NULL,
	"last_error" jsonb,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "assistant_links_port" CHECK ("assistant_links"."port" between 1 and 65535),
	CONSTRAINT "assistant_links_token_kind_known" CHECK ("assistant_links"."token_kind" in ('own', 'bot', 'readonly')),
	CONSTRAINT "assistant_links_state_known" CHECK ("assistant_links"."state" in ('untested', 'ok', 'failing'))
);
--> statement-breakpoint
CREATE TABLE "assistant_pools" (
	"tournament_guid" uuid NOT NULL,
	"pool_guid" uuid NOT NULL,
	"assistant_pool" text NOT NULL,
	CONSTRAINT "assistant_pools_tournament_guid_pool_guid_pk" PRIMARY KEY("tournament_guid","pool_guid")
);
--> statement-breakpoint
CREATE TABLE "assistant_token_days" (
	"user_guid" uuid NOT NULL,
	"day" date NOT NULL,
	"issued" bigint NOT NULL,
	CONSTRAINT "assistant_token_days_user_guid_day_pk" PRIMARY KEY("user_guid","day")
);
--> statement-breakpoint
CREATE TABLE "assistant_commands" (
	"guid" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"session_guid" uuid NOT NULL,
	"user_guid" uuid NOT NULL,
	"key" text,
	"name" text NOT NULL,
	"body" jsonb NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"taken_at" timestamp (3) with time zone,
	"answered_at" timestamp (3) with time zone,
	"answer" jsonb
);
--> statement-breakpoint
CREATE TABLE "assistant_sessions" (
	"guid" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"tournament_guid" uuid NOT NULL,
	"match_guid" uuid NOT NULL,
	"opened_by" uuid NOT NULL,
	"opened_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"closed_at" timestamp (3) with time zone,
	"close_reason" text,
	"status" text NOT NULL,
	"phase" text NOT NULL,
	"controller_guid" uuid,
	"controller_since" timestamp (3) with time zone,
	"controller_until" timestamp (3) with time zone,
	"state" jsonb NOT NULL,
	"assistant_match" text,
	"is_match_ours" boolean DEFAULT false NOT NULL,
	"delete_match" boolean DEFAULT false NOT NULL,
	"auto_accept" boolean,
	"last_packet_at" timestamp (3) with time zone,
	"last_error" jsonb,
	"revision" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "assistant_sessions_closed_when" CHECK (("assistant_sessions"."closed_at" is null) = ("assistant_sessions"."status" <> 'closed'))
);
--> statement-breakpoint
CREATE TABLE "game_proofs" (
	"digest" "bytea" PRIMARY KEY NOT NULL,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "assistant_finishes" (
	"play_guid" uuid NOT NULL,
	"user_guid" uuid NOT NULL,
	"side" smallint NOT NULL,
	"score" integer NOT NULL,
	"max_score" integer,
	"accuracy" double precision,
	"misses" integer NOT NULL,
	"bad_cuts" integer NOT NULL,
	"good_cuts" integer NOT NULL,
	"max_combo" integer,
	"completion" text NOT NULL,
	"end_time" double precision,
	"mods" text[] DEFAULT '{}' NOT NULL,
	"warnings" text[] DEFAULT '{}' NOT NULL,
	"received_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "assistant_finishes_play_guid_user_guid_pk" PRIMARY KEY("play_guid","user_guid")
);
--> statement-breakpoint
CREATE TABLE "assistant_plays" (
	"guid" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"tournament_guid" uuid NOT NULL,
	"match_guid" uuid NOT NULL,
	"session_guid" uuid,
	"flow_session_guid" uuid,
	"game" smallint NOT NULL,
	"run" smallint NOT NULL,
	"technical" boolean NOT NULL,
	"map" jsonb NOT NULL,
	"mode" text NOT NULL,
	"source" text NOT NULL,
	"state" text NOT NULL,
	"expected" jsonb NOT NULL,
	"started_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp (3) with time zone,
	"server_host" text,
	"server_version" integer,
	"assistant_match" text
);
--> statement-breakpoint
CREATE TABLE "game_proposals" (
	"guid" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"tournament_guid" uuid NOT NULL,
	"match_guid" uuid NOT NULL,
	"play_guid" uuid NOT NULL,
	"game" smallint NOT NULL,
	"run" smallint NOT NULL,
	"map" jsonb NOT NULL,
	"players" jsonb NOT NULL,
	"sides" jsonb NOT NULL,
	"winner" smallint,
	"warnings" jsonb NOT NULL,
	"source" text NOT NULL,
	"status" text NOT NULL,
	"decided_by" uuid,
	"decided_at" timestamp (3) with time zone,
	"reason" text,
	"provenance" jsonb NOT NULL,
	"accept_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "game_proposals_status_known" CHECK ("game_proposals"."status" in ('collecting', 'proposed', 'accepted', 'rejected', 'superseded'))
);
--> statement-breakpoint
ALTER TABLE "assistant_deliveries" ADD CONSTRAINT "assistant_deliveries_tournament_guid_assistant_links_tournament_guid_fk" FOREIGN KEY ("tournament_guid") REFERENCES "public"."assistant_links"("tournament_guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "assistant_links" ADD CONSTRAINT "assistant_links_tournament_guid_tournaments_guid_fk" FOREIGN KEY ("tournament_guid") REFERENCES "public"."tournaments"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "assistant_links" ADD CONSTRAINT "assistant_links_acts_as_users_guid_fk" FOREIGN KEY ("acts_as") REFERENCES "public"."users"("guid") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "assistant_pools" ADD CONSTRAINT "assistant_pools_tournament_guid_assistant_links_tournament_guid_fk" FOREIGN KEY ("tournament_guid") REFERENCES "public"."assistant_links"("tournament_guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "assistant_pools" ADD CONSTRAINT "assistant_pools_pool_guid_pools_guid_fk" FOREIGN KEY ("pool_guid") REFERENCES "public"."pools"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "assistant_token_days" ADD CONSTRAINT "assistant_token_days_user_guid_users_guid_fk" FOREIGN KEY ("user_guid") REFERENCES "public"."users"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "assistant_commands" ADD CONSTRAINT "assistant_commands_session_guid_assistant_sessions_guid_fk" FOREIGN KEY ("session_guid") REFERENCES "public"."assistant_sessions"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "assistant_commands" ADD CONSTRAINT "assistant_commands_user_guid_users_guid_fk" FOREIGN KEY ("user_guid") REFERENCES "public"."users"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "assistant_sessions" ADD CONSTRAINT "assistant_sessions_tournament_guid_tournaments_guid_fk" FOREIGN KEY ("tournament_guid") REFERENCES "public"."tournaments"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "assistant_sessions" ADD CONSTRAINT "assistant_sessions_match_guid_matches_guid_fk" FOREIGN KEY ("match_guid") REFERENCES "public"."matches"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "assistant_sessions" ADD CONSTRAINT "assistant_sessions_opened_by_users_guid_fk" FOREIGN KEY ("opened_by") REFERENCES "public"."users"("guid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "assistant_sessions" ADD CONSTRAINT "assistant_sessions_controller_guid_users_guid_fk" FOREIGN KEY ("controller_guid") REFERENCES "public"."users"("guid") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "assistant_finishes" ADD CONSTRAINT "assistant_finishes_play_guid_assistant_plays_guid_fk" FOREIGN KEY ("play_guid") REFERENCES "public"."assistant_plays"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "assistant_finishes" ADD CONSTRAINT "assistant_finishes_user_guid_users_guid_fk" FOREIGN KEY ("user_guid") REFERENCES "public"."users"("guid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "assistant_plays" ADD CONSTRAINT "assistant_plays_tournament_guid_tournaments_guid_fk" FOREIGN KEY ("tournament_guid") REFERENCES "public"."tournaments"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "assistant_plays" ADD CONSTRAINT "assistant_plays_match_guid_matches_guid_fk" FOREIGN KEY ("match_guid") REFERENCES "public"."matches"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "game_proposals" ADD CONSTRAINT "game_proposals_tournament_guid_tournaments_guid_fk" FOREIGN KEY ("tournament_guid") REFERENCES "public"."tournaments"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "game_proposals" ADD CONSTRAINT "game_proposals_match_guid_matches_guid_fk" FOREIGN KEY ("match_guid") REFERENCES "public"."matches"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "game_proposals" ADD CONSTRAINT "game_proposals_play_guid_assistant_plays_guid_fk" FOREIGN KEY ("play_guid") REFERENCES "public"."assistant_plays"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "game_proposals" ADD CONSTRAINT "game_proposals_decided_by_users_guid_fk" FOREIGN KEY ("decided_by") REFERENCES "public"."users"("guid") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "assistant_deliveries_at" ON "assistant_deliveries" USING btree ("at");--> statement-breakpoint
CREATE INDEX "assistant_pools_pool" ON "assistant_pools" USING btree ("pool_guid");--> statement-breakpoint
CREATE UNIQUE INDEX "assistant_commands_key_unique" ON "assistant_commands" USING btree ("user_guid","key") WHERE "assistant_commands"."key" is not null;--> statement-breakpoint
CREATE INDEX "assistant_commands_waiting" ON "assistant_commands" USING btree ("session_guid","at") WHERE "assistant_commands"."answered_at" is null;--> statement-breakpoint
CREATE INDEX "assistant_commands_at" ON "assistant_commands" USING btree ("at");--> statement-breakpoint
CREATE INDEX "assistant_commands_user" ON "assistant_commands" USING btree ("user_guid","at");--> statement-breakpoint
CREATE UNIQUE INDEX "assistant_sessions_open_unique" ON "assistant_sessions" USING btree ("match_guid") WHERE "assistant_sessions"."closed_at" is null;--> statement-breakpoint
CREATE INDEX "assistant_sessions_open" ON "assistant_sessions" USING btree ("tournament_guid") WHERE "assistant_sessions"."closed_at" is null;--> statement-breakpoint
CREATE INDEX "assistant_sessions_match" ON "assistant_sessions" USING btree ("match_guid","opened_at");--> statement-breakpoint
CREATE INDEX "assistant_sessions_opener" ON "assistant_sessions" USING btree ("opened_by");--> statement-breakpoint
CREATE INDEX "assistant_sessions_controller" ON "assistant_sessions" USING btree ("controller_guid");--> statement-breakpoint
CREATE INDEX "game_proofs_at" ON "game_proofs" USING btree ("at");--> statement-breakpoint
CREATE INDEX "assistant_finishes_user" ON "assistant_finishes" USING btree ("user_guid","received_at");--> statement-breakpoint
CREATE UNIQUE INDEX "assistant_plays_open_unique" ON "assistant_plays" USING btree ("session_guid") WHERE "assistant_plays"."state" in ('sending', 'started');--> statement-breakpoint
CREATE INDEX "assistant_plays_match" ON "assistant_plays" USING btree ("match_guid","started_at");--> statement-breakpoint
CREATE INDEX "assistant_plays_tournament" ON "assistant_plays" USING btree ("tournament_guid");--> statement-breakpoint
CREATE INDEX "assistant_plays_session" ON "assistant_plays" USING btree ("session_guid","started_at");--> statement-breakpoint
CREATE INDEX "assistant_plays_games" ON "assistant_plays" USING btree ("started_at") WHERE "assistant_plays"."source" = 'game' and "assistant_plays"."state" = 'started';--> statement-breakpoint
CREATE INDEX "assistant_plays_expected" ON "assistant_plays" USING gin ("expected" jsonb_path_ops);--> statement-breakpoint
CREATE UNIQUE INDEX "game_proposals_play_unique" ON "game_proposals" USING btree ("play_guid");--> statement-breakpoint
CREATE INDEX "game_proposals_match" ON "game_proposals" USING btree ("match_guid","created_at","guid");--> statement-breakpoint
CREATE INDEX "game_proposals_tournament" ON "game_proposals" USING btree ("tournament_guid");--> statement-breakpoint
CREATE INDEX "game_proposals_due" ON "game_proposals" USING btree ("accept_at") WHERE "game_proposals"."status" = 'proposed';