CREATE TABLE "availability_matches" (
	"guid" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"sheet_guid" uuid NOT NULL,
	"match_guid" uuid NOT NULL,
	"position" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "availability_responses" (
	"guid" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"sheet_guid" uuid NOT NULL,
	"user_guid" uuid NOT NULL,
	"role" text NOT NULL,
	"runs" jsonb NOT NULL,
	"matches" jsonb NOT NULL,
	"submitted_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "availability_sheets" (
	"guid" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"tournament_guid" uuid NOT NULL,
	"created_by_guid" uuid NOT NULL,
	"audience" text NOT NULL,
	"team_eligibility" text NOT NULL,
	"slot_minutes" integer NOT NULL,
	"accepted_statuses" text[] NOT NULL,
	"title" text NOT NULL,
	"description" text,
	"mode" text NOT NULL,
	"roles" text[] NOT NULL,
	"timezone" text NOT NULL,
	"windows" jsonb NOT NULL,
	"closes_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "availability_sheets_audience_known" CHECK ("availability_sheets"."audience" in ('staff', 'teams')),
	CONSTRAINT "availability_sheets_mode_known" CHECK ("availability_sheets"."mode" in ('matches', 'days', 'range')),
	CONSTRAINT "availability_sheets_eligibility_known" CHECK ("availability_sheets"."team_eligibility" in ('registered', 'qualified', 'both')),
	CONSTRAINT "availability_sheets_slot_known" CHECK ("availability_sheets"."slot_minutes" in (15, 30, 60))
);
--> statement-breakpoint
CREATE TABLE "availability_team_responses" (
	"sheet_guid" uuid NOT NULL,
	"team_guid" uuid NOT NULL,
	"runs" jsonb NOT NULL,
	"updated_by_guid" uuid NOT NULL,
	"submitted_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "availability_team_responses_sheet_guid_team_guid_pk" PRIMARY KEY("sheet_guid","team_guid")
);
--> statement-breakpoint
CREATE TABLE "bracket_entrants" (
	"tournament_guid" uuid NOT NULL,
	"bracket_guid" uuid NOT NULL,
	"slot" integer NOT NULL,
	"seed" integer,
	"team_guid" uuid,
	"withdrawal" text,
	CONSTRAINT "bracket_entrants_bracket_guid_slot_pk" PRIMARY KEY("bracket_guid","slot")
);
--> statement-breakpoint
CREATE TABLE "brackets" (
	"guid" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"tournament_guid" uuid NOT NULL,
	"division_guid" uuid NOT NULL,
	"name" text NOT NULL,
	"order" integer NOT NULL,
	"format" text NOT NULL,
	"settings" jsonb NOT NULL,
	"status" text NOT NULL,
	"revision" integer DEFAULT 1 NOT NULL,
	"open" integer NOT NULL,
	"started" integer DEFAULT 0 NOT NULL,
	"rounds_made" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "brackets_status_known" CHECK ("brackets"."status" in ('draft', 'ready', 'running', 'completed'))
);
--> statement-breakpoint
CREATE TABLE "matches" (
	"guid" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"tournament_guid" uuid NOT NULL,
	"division_guid" uuid NOT NULL,
	"bracket_guid" uuid NOT NULL,
	"number" integer NOT NULL,
	"section" text NOT NULL,
	"round" integer NOT NULL,
	"group_index" integer,
	"status" text NOT NULL,
	"outcome" text,
	"team1_guid" uuid,
	"team2_guid" uuid,
	"sides" jsonb NOT NULL,
	"best_of" integer NOT NULL,
	"games" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"decision" jsonb,
	"started" boolean DEFAULT false NOT NULL,
	"reopened" boolean DEFAULT false NOT NULL,
	"conditional" boolean DEFAULT false NOT NULL,
	"pairing" jsonb,
	"winner_to" jsonb,
	"loser_to" jsonb,
	"next_match_guid" uuid,
	"loser_match_guid" uuid,
	"scheduled_at" timestamp (3) with time zone,
	"started_at" timestamp (3) with time zone,
	"completed_at" timestamp (3) with time zone,
	"stream_url" text,
	"vod_url" text,
	"notes" text,
	"revision" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "matches_status_known" CHECK ("matches"."status" in ('locked', 'waiting', 'ready', 'running', 'completed', 'cancelled'))
);
--> statement-breakpoint
CREATE TABLE "divisions" (
	"guid" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"tournament_guid" uuid NOT NULL,
	"id" text NOT NULL,
	"name" text NOT NULL,
	"order" integer NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "corrections" (
	"guid" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"tournament_guid" uuid NOT NULL,
	"bracket_guid" uuid NOT NULL,
	"match_guid" uuid NOT NULL,
	"actor_guid" uuid NOT NULL,
	"reason" text,
	"before" jsonb NOT NULL,
	"after" jsonb NOT NULL,
	"revision" integer NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"undone_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "match_officials" (
	"match_guid" uuid NOT NULL,
	"user_guid" uuid NOT NULL,
	"role" text NOT NULL,
	CONSTRAINT "match_officials_match_guid_user_guid_role_pk" PRIMARY KEY("match_guid","user_guid","role")
);
--> statement-breakpoint
CREATE TABLE "qualifier_attempts" (
	"guid" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"qualifier_guid" uuid NOT NULL,
	"map_guid" uuid NOT NULL,
	"user_guid" uuid NOT NULL,
	"team_guid" uuid,
	"score" integer NOT NULL,
	"accuracy" double precision,
	"misses" integer,
	"bad_cuts" integer,
	"max_combo" integer,
	"full_combo" boolean,
	"completion" text NOT NULL,
	"source" text NOT NULL,
	"external_id" text,
	"played_at" timestamp (3) with time zone NOT NULL,
	"recorded_by_guid" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"voided_at" timestamp (3) with time zone,
	"void_reason" text,
	"voided_by_guid" uuid,
	CONSTRAINT "qualifier_attempts_score" CHECK ("qualifier_attempts"."score" >= 0),
	CONSTRAINT "qualifier_attempts_accuracy" CHECK ("qualifier_attempts"."accuracy" between 0 and 1),
	CONSTRAINT "qualifier_attempts_completion_known" CHECK ("qualifier_attempts"."completion" in ('passed', 'failed', 'quit', 'placeholder')),
	CONSTRAINT "qualifier_attempts_source_known" CHECK ("qualifier_attempts"."source" in ('assistant', 'manual', 'import'))
);
--> statement-breakpoint
CREATE TABLE "qualifier_maps" (
	"guid" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"qualifier_guid" uuid NOT NULL,
	"hash" text NOT NULL,
	"difficulty" text NOT NULL,
	"characteristic" text NOT NULL,
	"name" text,
	"artist" text,
	"mapper" text,
	"image_url" text,
	"max_score" integer,
	"weight" double precision NOT NULL,
	"order" integer NOT NULL,
	CONSTRAINT "qualifier_maps_weight" CHECK ("qualifier_maps"."weight" > 0),
	CONSTRAINT "qualifier_maps_max_score" CHECK ("qualifier_maps"."max_score" >= 1)
);
--> statement-breakpoint
CREATE TABLE "qualifier_syncs" (
	"qualifier_guid" uuid PRIMARY KEY NOT NULL,
	"fetched_at" timestamp (3) with time zone,
	"row_count" integer DEFAULT 0 NOT NULL,
	"last_error" text
);
--> statement-breakpoint
CREATE TABLE "qualifier_unmatched" (
	"qualifier_guid" uuid NOT NULL,
	"position" integer NOT NULL,
	"player" text NOT NULL,
	"user_guid" uuid,
	"name" text,
	"map" text NOT NULL,
	"score" integer NOT NULL,
	"reason" text NOT NULL,
	CONSTRAINT "qualifier_unmatched_qualifier_guid_position_pk" PRIMARY KEY("qualifier_guid","position")
);
--> statement-breakpoint
CREATE TABLE "qualifiers" (
	"guid" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"tournament_guid" uuid NOT NULL,
	"status" text NOT NULL,
	"opened_at" timestamp (3) with time zone,
	"opens_at" timestamp (3) with time zone,
	"closes_at" timestamp (3) with time zone,
	"attempts" integer NOT NULL,
	"hide_scores" boolean NOT NULL,
	"method" text NOT NULL,
	"settings" jsonb NOT NULL,
	"cutoff" integer,
	"sync_url" text,
	"seeded_team_guids" uuid[] DEFAULT '{}' NOT NULL,
	"board_changed_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "qualifiers_one" UNIQUE("tournament_guid"),
	CONSTRAINT "qualifiers_status_known" CHECK ("qualifiers"."status" in ('draft', 'open', 'closed', 'final')),
	CONSTRAINT "qualifiers_attempts" CHECK ("qualifiers"."attempts" >= 0)
);
--> statement-breakpoint
CREATE TABLE "schedule_proposals" (
	"guid" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"tournament_guid" uuid NOT NULL,
	"created_by_guid" uuid NOT NULL,
	"wish" jsonb NOT NULL,
	"schedule" jsonb NOT NULL,
	"digest" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"applied_at" timestamp (3) with time zone
);
--> statement-breakpoint
ALTER TABLE "availability_matches" ADD CONSTRAINT "availability_matches_sheet_guid_availability_sheets_guid_fk" FOREIGN KEY ("sheet_guid") REFERENCES "public"."availability_sheets"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "availability_matches" ADD CONSTRAINT "availability_matches_match_guid_matches_guid_fk" FOREIGN KEY ("match_guid") REFERENCES "public"."matches"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "availability_responses" ADD CONSTRAINT "availability_responses_sheet_guid_availability_sheets_guid_fk" FOREIGN KEY ("sheet_guid") REFERENCES "public"."availability_sheets"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "availability_responses" ADD CONSTRAINT "availability_responses_user_guid_users_guid_fk" FOREIGN KEY ("user_guid") REFERENCES "public"."users"("guid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "availability_sheets" ADD CONSTRAINT "availability_sheets_tournament_guid_tournaments_guid_fk" FOREIGN KEY ("tournament_guid") REFERENCES "public"."tournaments"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "availability_sheets" ADD CONSTRAINT "availability_sheets_created_by_guid_users_guid_fk" FOREIGN KEY ("created_by_guid") REFERENCES "public"."users"("guid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "availability_team_responses" ADD CONSTRAINT "availability_team_responses_sheet_guid_availability_sheets_guid_fk" FOREIGN KEY ("sheet_guid") REFERENCES "public"."availability_sheets"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "availability_team_responses" ADD CONSTRAINT "availability_team_responses_team_guid_teams_guid_fk" FOREIGN KEY ("team_guid") REFERENCES "public"."teams"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "availability_team_responses" ADD CONSTRAINT "availability_team_responses_updated_by_guid_users_guid_fk" FOREIGN KEY ("updated_by_guid") REFERENCES "public"."users"("guid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bracket_entrants" ADD CONSTRAINT "bracket_entrants_tournament_guid_tournaments_guid_fk" FOREIGN KEY ("tournament_guid") REFERENCES "public"."tournaments"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bracket_entrants" ADD CONSTRAINT "bracket_entrants_bracket_guid_brackets_guid_fk" FOREIGN KEY ("bracket_guid") REFERENCES "public"."brackets"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bracket_entrants" ADD CONSTRAINT "bracket_entrants_team_guid_teams_guid_fk" FOREIGN KEY ("team_guid") REFERENCES "public"."teams"("guid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "brackets" ADD CONSTRAINT "brackets_tournament_guid_tournaments_guid_fk" FOREIGN KEY ("tournament_guid") REFERENCES "public"."tournaments"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "brackets" ADD CONSTRAINT "brackets_division_guid_divisions_guid_fk" FOREIGN KEY ("division_guid") REFERENCES "public"."divisions"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "matches" ADD CONSTRAINT "matches_tournament_guid_tournaments_guid_fk" FOREIGN KEY ("tournament_guid") REFERENCES "public"."tournaments"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "matches" ADD CONSTRAINT "matches_division_guid_divisions_guid_fk" FOREIGN KEY ("division_guid") REFERENCES "public"."divisions"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "matches" ADD CONSTRAINT "matches_bracket_guid_brackets_guid_fk" FOREIGN KEY ("bracket_guid") REFERENCES "public"."brackets"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "matches" ADD CONSTRAINT "matches_team1_guid_teams_guid_fk" FOREIGN KEY ("team1_guid") REFERENCES "public"."teams"("guid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "matches" ADD CONSTRAINT "matches_team2_guid_teams_guid_fk" FOREIGN KEY ("team2_guid") REFERENCES "public"."teams"("guid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "divisions" ADD CONSTRAINT "divisions_tournament_guid_tournaments_guid_fk" FOREIGN KEY ("tournament_guid") REFERENCES "public"."tournaments"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "corrections" ADD CONSTRAINT "corrections_tournament_guid_tournaments_guid_fk" FOREIGN KEY ("tournament_guid") REFERENCES "public"."tournaments"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "corrections" ADD CONSTRAINT "corrections_bracket_guid_brackets_guid_fk" FOREIGN KEY ("bracket_guid") REFERENCES "public"."brackets"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "corrections" ADD CONSTRAINT "corrections_match_guid_matches_guid_fk" FOREIGN KEY ("match_guid") REFERENCES "public"."matches"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "corrections" ADD CONSTRAINT "corrections_actor_guid_users_guid_fk" FOREIGN KEY ("actor_guid") REFERENCES "public"."users"("guid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "match_officials" ADD CONSTRAINT "match_officials_match_guid_matches_guid_fk" FOREIGN KEY ("match_guid") REFERENCES "public"."matches"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "match_officials" ADD CONSTRAINT "match_officials_user_guid_users_guid_fk" FOREIGN KEY ("user_guid") REFERENCES "public"."users"("guid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "qualifier_attempts" ADD CONSTRAINT "qualifier_attempts_qualifier_guid_qualifiers_guid_fk" FOREIGN KEY ("qualifier_guid") REFERENCES "public"."qualifiers"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "qualifier_attempts" ADD CONSTRAINT "qualifier_attempts_map_guid_qualifier_maps_guid_fk" FOREIGN KEY ("map_guid") REFERENCES "public"."qualifier_maps"("guid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "qualifier_attempts" ADD CONSTRAINT "qualifier_attempts_user_guid_users_guid_fk" FOREIGN KEY ("user_guid") REFERENCES "public"."users"("guid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "qualifier_attempts" ADD CONSTRAINT "qualifier_attempts_team_guid_teams_guid_fk" FOREIGN KEY ("team_guid") REFERENCES "public"."teams"("guid") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "qualifier_attempts" ADD CONSTRAINT "qualifier_attempts_recorded_by_guid_users_guid_fk" FOREIGN KEY ("recorded_by_guid") REFERENCES "public"."users"("guid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "qualifier_attempts" ADD CONSTRAINT "qualifier_attempts_voided_by_guid_users_guid_fk" FOREIGN KEY ("voided_by_guid") REFERENCES "public"."users"("guid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "qualifier_maps" ADD CONSTRAINT "qualifier_maps_qualifier_guid_qualifiers_guid_fk" FOREIGN KEY ("qualifier_guid") REFERENCES "public"."qualifiers"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "qualifier_syncs" ADD CONSTRAINT "qualifier_syncs_qualifier_guid_qualifiers_guid_fk" FOREIGN KEY ("qualifier_guid") REFERENCES "public"."qualifiers"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "qualifier_unmatched" ADD CONSTRAINT "qualifier_unmatched_qualifier_guid_qualifiers_guid_fk" FOREIGN KEY ("qualifier_guid") REFERENCES "public"."qualifiers"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "qualifier_unmatched" ADD CONSTRAINT "qualifier_unmatched_user_guid_users_guid_fk" FOREIGN KEY ("user_guid") REFERENCES "public"."users"("guid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "qualifiers" ADD CONSTRAINT "qualifiers_tournament_guid_tournaments_guid_fk" FOREIGN KEY ("tournament_guid") REFERENCES "public"."tournaments"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "schedule_proposals" ADD CONSTRAINT "schedule_proposals_tournament_guid_tournaments_guid_fk" FOREIGN KEY ("tournament_guid") REFERENCES "public"."tournaments"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "schedule_proposals" ADD CONSTRAINT "schedule_proposals_created_by_guid_users_guid_fk" FOREIGN KEY ("created_by_guid") REFERENCES "public"."users"("guid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "availability_matches_once" ON "availability_matches" USING btree ("sheet_guid","match_guid");--> statement-breakpoint
CREATE INDEX "availability_matches_of_match" ON "availability_matches" USING btree ("match_guid");--> statement-breakpoint
CREATE UNIQUE INDEX "availability_responses_one" ON "availability_responses" USING btree ("sheet_guid","user_guid","role");--> statement-breakpoint
CREATE INDEX "availability_responses_of_user" ON "availability_responses" USING btree ("user_guid","submitted_at","guid");--> statement-breakpoint
CREATE INDEX "availability_sheets_order" ON "availability_sheets" USING btree ("tournament_guid","created_at","guid");--> statement-breakpoint
CREATE INDEX "availability_sheets_by" ON "availability_sheets" USING btree ("created_by_guid","created_at","guid");--> statement-breakpoint
CREATE INDEX "availability_team_responses_of_team" ON "availability_team_responses" USING btree ("team_guid");--> statement-breakpoint
CREATE INDEX "availability_team_responses_by" ON "availability_team_responses" USING btree ("updated_by_guid","submitted_at");--> statement-breakpoint
CREATE INDEX "bracket_entrants_of_team" ON "bracket_entrants" USING btree ("team_guid");--> statement-breakpoint
CREATE INDEX "bracket_entrants_of_tournament" ON "bracket_entrants" USING btree ("tournament_guid");--> statement-breakpoint
CREATE INDEX "brackets_of_tournament" ON "brackets" USING btree ("tournament_guid");--> statement-breakpoint
CREATE INDEX "brackets_order" ON "brackets" USING btree ("division_guid","order","guid");--> statement-breakpoint
CREATE UNIQUE INDEX "matches_number" ON "matches" USING btree ("division_guid","number");--> statement-breakpoint
CREATE INDEX "matches_of_bracket" ON "matches" USING btree ("bracket_guid","number");--> statement-breakpoint
CREATE INDEX "matches_order" ON "matches" USING btree ("tournament_guid","created_at","number","guid");--> statement-breakpoint
CREATE INDEX "matches_schedule" ON "matches" USING btree ("tournament_guid","scheduled_at");--> statement-breakpoint
CREATE INDEX "matches_of_team1" ON "matches" USING btree ("team1_guid");--> statement-breakpoint
CREATE INDEX "matches_of_team2" ON "matches" USING btree ("team2_guid");--> statement-breakpoint
CREATE UNIQUE INDEX "divisions_id" ON "divisions" USING btree ("tournament_guid","id");--> statement-breakpoint
CREATE INDEX "divisions_order" ON "divisions" USING btree ("tournament_guid","order","guid");--> statement-breakpoint
CREATE INDEX "corrections_of_bracket" ON "corrections" USING btree ("bracket_guid","created_at");--> statement-breakpoint
CREATE INDEX "corrections_of_match" ON "corrections" USING btree ("match_guid");--> statement-breakpoint
CREATE INDEX "corrections_of_tournament" ON "corrections" USING btree ("tournament_guid","created_at","guid");--> statement-breakpoint
CREATE INDEX "corrections_of_actor" ON "corrections" USING btree ("actor_guid","created_at");--> statement-breakpoint
CREATE INDEX "match_officials_of_user" ON "match_officials" USING btree ("user_guid");--> statement-breakpoint
CREATE UNIQUE INDEX "qualifier_attempts_external_id" ON "qualifier_attempts" USING btree ("qualifier_guid","source","external_id",("completion" = 'placeholder')) WHERE "qualifier_attempts"."external_id" is not null;--> statement-breakpoint
CREATE INDEX "qualifier_attempts_standing" ON "qualifier_attempts" USING btree ("qualifier_guid","user_guid","map_guid","completion","score") WHERE "qualifier_attempts"."voided_at" is null;--> statement-breakpoint
CREATE INDEX "qualifier_attempts_newest" ON "qualifier_attempts" USING btree ("qualifier_guid","created_at","guid");--> statement-breakpoint
CREATE INDEX "qualifier_attempts_newest_of_map" ON "qualifier_attempts" USING btree ("map_guid","created_at","guid");--> statement-breakpoint
CREATE INDEX "qualifier_attempts_newest_of_user" ON "qualifier_attempts" USING btree ("user_guid","created_at","guid");--> statement-breakpoint
CREATE INDEX "qualifier_attempts_of_team" ON "qualifier_attempts" USING btree ("team_guid");--> statement-breakpoint
CREATE INDEX "qualifier_maps_order" ON "qualifier_maps" USING btree ("qualifier_guid","order","guid");--> statement-breakpoint
CREATE INDEX "qualifier_unmatched_player" ON "qualifier_unmatched" USING btree ("player");--> statement-breakpoint
CREATE INDEX "qualifier_unmatched_user" ON "qualifier_unmatched" USING btree ("user_guid") WHERE "qualifier_unmatched"."user_guid" is not null;--> statement-breakpoint
CREATE INDEX "schedule_proposals_of_tournament" ON "schedule_proposals" USING btree ("tournament_guid","created_at");--> statement-breakpoint
CREATE INDEX "schedule_proposals_by" ON "schedule_proposals" USING btree ("created_by_guid","created_at");--> statement-breakpoint
CREATE INDEX "tournaments_organised" ON "tournaments" USING btree ("organiser_guid","created_at");