CREATE TABLE "catalogue_answers" (
	"question" text PRIMARY KEY NOT NULL,
	"answer" jsonb,
	"answered_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "maps" (
	"guid" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"hash" text NOT NULL,
	"characteristic" text NOT NULL,
	"difficulty" text NOT NULL,
	"key" text,
	"name" text,
	"sub_name" text,
	"artist" text,
	"mapper" text,
	"image_url" text,
	"preview_url" text,
	"bpm" double precision,
	"njs" double precision,
	"nps" double precision,
	"duration_seconds" integer,
	"notes" integer,
	"bombs" integer,
	"obstacles" integer,
	"max_score" integer,
	"stars_a" double precision,
	"stars_b" double precision,
	"ranked_a" boolean,
	"ranked_b" boolean,
	"requirements" text[] DEFAULT '{}' NOT NULL,
	"ai" text,
	"uploaded_at" timestamp (3) with time zone,
	"checked_at" timestamp (3) with time zone,
	"state" text NOT NULL,
	"current_hash" text,
	"asked_in_vain" integer DEFAULT 0 NOT NULL,
	"ask_again_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "maps_hash" CHECK ("maps"."hash" ~ '^[0-9a-f]{40}$'),
	CONSTRAINT "maps_difficulty_known" CHECK ("maps"."difficulty" in ('Easy', 'Normal', 'Hard', 'Expert', 'ExpertPlus')),
	CONSTRAINT "maps_state_known" CHECK ("maps"."state" in ('known', 'unresolved', 'missing', 'outdated')),
	CONSTRAINT "maps_ai_known" CHECK ("maps"."ai" in ('none', 'declared', 'automapper'))
);
--> statement-breakpoint
CREATE TABLE "imports" (
	"guid" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"tournament_guid" uuid NOT NULL,
	"pool_guid" uuid NOT NULL,
	"request" jsonb NOT NULL,
	"dry_run" boolean NOT NULL,
	"status" text DEFAULT 'running' NOT NULL,
	"rows" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"reason" text,
	"started_by_guid" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp (3) with time zone,
	CONSTRAINT "imports_status_known" CHECK ("imports"."status" in ('running', 'done', 'failed'))
);
--> statement-breakpoint
CREATE TABLE "planned_pools" (
	"guid" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"tournament_guid" uuid NOT NULL,
	"match_guid" uuid,
	"bracket_guid" uuid,
	"round" text,
	"pool_guid" uuid NOT NULL,
	CONSTRAINT "planned_pools_target" CHECK (num_nonnulls("planned_pools"."match_guid", "planned_pools"."bracket_guid") = 1),
	CONSTRAINT "planned_pools_of_round" CHECK ("planned_pools"."round" is null or "planned_pools"."bracket_guid" is not null)
);
--> statement-breakpoint
CREATE TABLE "pool_plans" (
	"tournament_guid" uuid PRIMARY KEY NOT NULL,
	"revision" integer NOT NULL,
	"default_pool_guid" uuid
);
--> statement-breakpoint
CREATE TABLE "flairs" (
	"guid" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"tournament_guid" uuid NOT NULL,
	"name" text NOT NULL,
	"color" text NOT NULL,
	"icon" text,
	"order" integer NOT NULL,
	CONSTRAINT "flairs_color" CHECK ("flairs"."color" ~ '^#[0-9a-f]{6}$')
);
--> statement-breakpoint
CREATE TABLE "pool_changes" (
	"guid" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"pool_guid" uuid NOT NULL,
	"revision" integer NOT NULL,
	"kind" text NOT NULL,
	"before" jsonb,
	"after" jsonb,
	"reason" text,
	"by_guid" uuid,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"is_shown" boolean NOT NULL,
	CONSTRAINT "pool_changes_kind_known" CHECK ("pool_changes"."kind" in ('added', 'removed', 'replaced', 'edited', 'reordered'))
);
--> statement-breakpoint
CREATE TABLE "pool_covers" (
	"pool_guid" uuid PRIMARY KEY NOT NULL,
	"media_type" text NOT NULL,
	"picture" "bytea" NOT NULL,
	"small" "bytea" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "pool_maps" (
	"guid" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"pool_guid" uuid NOT NULL,
	"map_guid" uuid NOT NULL,
	"flair_guid" uuid,
	"order" integer NOT NULL,
	"is_tiebreaker" boolean NOT NULL,
	"modifiers" text[] NOT NULL,
	"player_options" text[] NOT NULL,
	"options" jsonb NOT NULL,
	"attempts" integer,
	"weight" double precision NOT NULL,
	"note" text,
	"staff_note" text,
	"release_at" timestamp (3) with time zone,
	"released_at" timestamp (3) with time zone,
	"added_by_guid" uuid,
	"suggestion_guid" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "pool_maps_attempts" CHECK ("pool_maps"."attempts" between 0 and 100),
	CONSTRAINT "pool_maps_weight" CHECK ("pool_maps"."weight" > 0 and "pool_maps"."weight" <= 1000)
);
--> statement-breakpoint
CREATE TABLE "pooling_settings" (
	"tournament_guid" uuid PRIMARY KEY NOT NULL,
	"open_suggestions" boolean DEFAULT false NOT NULL,
	"hide_votes" boolean DEFAULT true NOT NULL
);
--> statement-breakpoint
CREATE TABLE "pools" (
	"guid" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"tournament_guid" uuid NOT NULL,
	"name" text NOT NULL,
	"name_key" text NOT NULL,
	"name_look" text NOT NULL,
	"description" text,
	"kind" text NOT NULL,
	"order" integer NOT NULL,
	"status" text NOT NULL,
	"publish_at" timestamp (3) with time zone,
	"published_at" timestamp (3) with time zone,
	"archived_at" timestamp (3) with time zone,
	"revision" integer,
	"last_revision" integer DEFAULT 0 NOT NULL,
	"draft_revision" integer DEFAULT 1 NOT NULL,
	"slots" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"playlist_title" text,
	"playlist_author" text,
	"playlist_description" text DEFAULT '' NOT NULL,
	"cover_hash" text,
	"preview_roles" text[] DEFAULT '{}' NOT NULL,
	"preview_key_hash" "bytea",
	"forced_failures" jsonb,
	"announced_at" timestamp (3) with time zone,
	"announce_at" timestamp (3) with time zone,
	"checked_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"shown_at" timestamp (3) with time zone,
	CONSTRAINT "pools_kind_known" CHECK ("pools"."kind" in ('match', 'qualifier')),
	CONSTRAINT "pools_status_known" CHECK ("pools"."status" in ('draft', 'published', 'archived')),
	CONSTRAINT "pools_revision" CHECK (("pools"."revision" is null) = ("pools"."status" = 'draft'))
);
--> statement-breakpoint
CREATE TABLE "map_votes" (
	"guid" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"suggestion_guid" uuid,
	"pool_map_guid" uuid,
	"user_guid" uuid NOT NULL,
	"value" integer NOT NULL,
	"voted_at" timestamp (3) with time zone NOT NULL,
	"changes" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "map_votes_target" CHECK (num_nonnulls("map_votes"."suggestion_guid", "map_votes"."pool_map_guid") = 1),
	CONSTRAINT "map_votes_value" CHECK ("map_votes"."value" between -1 and 1)
);
--> statement-breakpoint
CREATE TABLE "pool_comments" (
	"guid" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"tournament_guid" uuid NOT NULL,
	"suggestion_guid" uuid,
	"pool_map_guid" uuid,
	"author_guid" uuid NOT NULL,
	"text" text,
	"reply_to_guid" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"edited_at" timestamp (3) with time zone,
	"deleted_at" timestamp (3) with time zone,
	CONSTRAINT "pool_comments_target" CHECK (num_nonnulls("pool_comments"."suggestion_guid", "pool_comments"."pool_map_guid") = 1),
	CONSTRAINT "pool_comments_deleted" CHECK (("pool_comments"."text" is null) = ("pool_comments"."deleted_at" is not null))
);
--> statement-breakpoint
CREATE TABLE "suggestions" (
	"guid" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"tournament_guid" uuid NOT NULL,
	"map_guid" uuid NOT NULL,
	"target_pool_guid" uuid,
	"target_flair_guid" uuid,
	"note" text,
	"suggested_by_guid" uuid NOT NULL,
	"status" text DEFAULT 'open' NOT NULL,
	"reason" text,
	"decided_by_guid" uuid,
	"decided_at" timestamp (3) with time zone,
	"pool_map_guid" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "suggestions_status_known" CHECK ("suggestions"."status" in ('open', 'accepted', 'rejected', 'withdrawn'))
);
--> statement-breakpoint
ALTER TABLE "imports" ADD CONSTRAINT "imports_tournament_guid_tournaments_guid_fk" FOREIGN KEY ("tournament_guid") REFERENCES "public"."tournaments"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "imports" ADD CONSTRAINT "imports_pool_guid_pools_guid_fk" FOREIGN KEY ("pool_guid") REFERENCES "public"."pools"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "imports" ADD CONSTRAINT "imports_started_by_guid_users_guid_fk" FOREIGN KEY ("started_by_guid") REFERENCES "public"."users"("guid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "planned_pools" ADD CONSTRAINT "planned_pools_tournament_guid_tournaments_guid_fk" FOREIGN KEY ("tournament_guid") REFERENCES "public"."tournaments"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "planned_pools" ADD CONSTRAINT "planned_pools_match_guid_matches_guid_fk" FOREIGN KEY ("match_guid") REFERENCES "public"."matches"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "planned_pools" ADD CONSTRAINT "planned_pools_bracket_guid_brackets_guid_fk" FOREIGN KEY ("bracket_guid") REFERENCES "public"."brackets"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "planned_pools" ADD CONSTRAINT "planned_pools_pool_guid_pools_guid_fk" FOREIGN KEY ("pool_guid") REFERENCES "public"."pools"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pool_plans" ADD CONSTRAINT "pool_plans_tournament_guid_tournaments_guid_fk" FOREIGN KEY ("tournament_guid") REFERENCES "public"."tournaments"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pool_plans" ADD CONSTRAINT "pool_plans_default_pool_guid_pools_guid_fk" FOREIGN KEY ("default_pool_guid") REFERENCES "public"."pools"("guid") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "flairs" ADD CONSTRAINT "flairs_tournament_guid_tournaments_guid_fk" FOREIGN KEY ("tournament_guid") REFERENCES "public"."tournaments"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pool_changes" ADD CONSTRAINT "pool_changes_pool_guid_pools_guid_fk" FOREIGN KEY ("pool_guid") REFERENCES "public"."pools"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pool_changes" ADD CONSTRAINT "pool_changes_by_guid_users_guid_fk" FOREIGN KEY ("by_guid") REFERENCES "public"."users"("guid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pool_covers" ADD CONSTRAINT "pool_covers_pool_guid_pools_guid_fk" FOREIGN KEY ("pool_guid") REFERENCES "public"."pools"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pool_maps" ADD CONSTRAINT "pool_maps_pool_guid_pools_guid_fk" FOREIGN KEY ("pool_guid") REFERENCES "public"."pools"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pool_maps" ADD CONSTRAINT "pool_maps_map_guid_maps_guid_fk" FOREIGN KEY ("map_guid") REFERENCES "public"."maps"("guid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pool_maps" ADD CONSTRAINT "pool_maps_flair_guid_flairs_guid_fk" FOREIGN KEY ("flair_guid") REFERENCES "public"."flairs"("guid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pool_maps" ADD CONSTRAINT "pool_maps_added_by_guid_users_guid_fk" FOREIGN KEY ("added_by_guid") REFERENCES "public"."users"("guid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pooling_settings" ADD CONSTRAINT "pooling_settings_tournament_guid_tournaments_guid_fk" FOREIGN KEY ("tournament_guid") REFERENCES "public"."tournaments"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pools" ADD CONSTRAINT "pools_tournament_guid_tournaments_guid_fk" FOREIGN KEY ("tournament_guid") REFERENCES "public"."tournaments"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "map_votes" ADD CONSTRAINT "map_votes_suggestion_guid_suggestions_guid_fk" FOREIGN KEY ("suggestion_guid") REFERENCES "public"."suggestions"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "map_votes" ADD CONSTRAINT "map_votes_pool_map_guid_pool_maps_guid_fk" FOREIGN KEY ("pool_map_guid") REFERENCES "public"."pool_maps"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "map_votes" ADD CONSTRAINT "map_votes_user_guid_users_guid_fk" FOREIGN KEY ("user_guid") REFERENCES "public"."users"("guid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pool_comments" ADD CONSTRAINT "pool_comments_tournament_guid_tournaments_guid_fk" FOREIGN KEY ("tournament_guid") REFERENCES "public"."tournaments"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pool_comments" ADD CONSTRAINT "pool_comments_suggestion_guid_suggestions_guid_fk" FOREIGN KEY ("suggestion_guid") REFERENCES "public"."suggestions"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pool_comments" ADD CONSTRAINT "pool_comments_pool_map_guid_pool_maps_guid_fk" FOREIGN KEY ("pool_map_guid") REFERENCES "public"."pool_maps"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pool_comments" ADD CONSTRAINT "pool_comments_author_guid_users_guid_fk" FOREIGN KEY ("author_guid") REFERENCES "public"."users"("guid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pool_comments" ADD CONSTRAINT "pool_comments_reply_to_guid_pool_comments_guid_fk" FOREIGN KEY ("reply_to_guid") REFERENCES "public"."pool_comments"("guid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "suggestions" ADD CONSTRAINT "suggestions_tournament_guid_tournaments_guid_fk" FOREIGN KEY ("tournament_guid") REFERENCES "public"."tournaments"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "suggestions" ADD CONSTRAINT "suggestions_map_guid_maps_guid_fk" FOREIGN KEY ("map_guid") REFERENCES "public"."maps"("guid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "suggestions" ADD CONSTRAINT "suggestions_target_pool_guid_pools_guid_fk" FOREIGN KEY ("target_pool_guid") REFERENCES "public"."pools"("guid") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "suggestions" ADD CONSTRAINT "suggestions_target_flair_guid_flairs_guid_fk" FOREIGN KEY ("target_flair_guid") REFERENCES "public"."flairs"("guid") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "suggestions" ADD CONSTRAINT "suggestions_suggested_by_guid_users_guid_fk" FOREIGN KEY ("suggested_by_guid") REFERENCES "public"."users"("guid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "suggestions" ADD CONSTRAINT "suggestions_decided_by_guid_users_guid_fk" FOREIGN KEY ("decided_by_guid") REFERENCES "public"."users"("guid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "maps_identity" ON "maps" USING btree ("hash",lower("characteristic"),"difficulty");--> statement-breakpoint
CREATE INDEX "maps_key" ON "maps" USING btree ("key");--> statement-breakpoint
CREATE INDEX "maps_ask_again" ON "maps" USING btree ("ask_again_at") WHERE "maps"."ask_again_at" is not null;--> statement-breakpoint
CREATE INDEX "imports_newest" ON "imports" USING btree ("pool_guid","created_at","guid");--> statement-breakpoint
CREATE INDEX "imports_running" ON "imports" USING btree ("tournament_guid") WHERE "imports"."status" = 'running';--> statement-breakpoint
CREATE INDEX "imports_by_age" ON "imports" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "imports_by_user" ON "imports" USING btree ("started_by_guid","created_at","guid");--> statement-breakpoint
CREATE INDEX "planned_pools_tournament" ON "planned_pools" USING btree ("tournament_guid");--> statement-breakpoint
CREATE INDEX "planned_pools_pool" ON "planned_pools" USING btree ("pool_guid");--> statement-breakpoint
CREATE UNIQUE INDEX "planned_pools_match" ON "planned_pools" USING btree ("match_guid");--> statement-breakpoint
CREATE UNIQUE INDEX "planned_pools_round" ON "planned_pools" USING btree ("bracket_guid",coalesce("round", ''));--> statement-breakpoint
CREATE INDEX "pool_plans_default" ON "pool_plans" USING btree ("default_pool_guid");--> statement-breakpoint
CREATE INDEX "flairs_order" ON "flairs" USING btree ("tournament_guid","order","guid");--> statement-breakpoint
CREATE INDEX "pool_changes_newest" ON "pool_changes" USING btree ("pool_guid","at","guid");--> statement-breakpoint
CREATE INDEX "pool_changes_by" ON "pool_changes" USING btree ("by_guid","at");--> statement-breakpoint
CREATE UNIQUE INDEX "pool_maps_once" ON "pool_maps" USING btree ("pool_guid","map_guid");--> statement-breakpoint
CREATE INDEX "pool_maps_order" ON "pool_maps" USING btree ("pool_guid","order","guid");--> statement-breakpoint
CREATE INDEX "pool_maps_of_map" ON "pool_maps" USING btree ("map_guid","pool_guid");--> statement-breakpoint
CREATE INDEX "pool_maps_flair" ON "pool_maps" USING btree ("flair_guid") WHERE "pool_maps"."flair_guid" is not null;--> statement-breakpoint
CREATE INDEX "pool_maps_release" ON "pool_maps" USING btree ("release_at") WHERE "pool_maps"."release_at" is not null and "pool_maps"."released_at" is null;--> statement-breakpoint
CREATE INDEX "pool_maps_added_by" ON "pool_maps" USING btree ("added_by_guid","created_at","guid");--> statement-breakpoint
CREATE UNIQUE INDEX "pools_name" ON "pools" USING btree ("tournament_guid","name_key");--> statement-breakpoint
CREATE UNIQUE INDEX "pools_name_look" ON "pools" USING btree ("tournament_guid","name_look");--> statement-breakpoint
CREATE UNIQUE INDEX "pools_one_qualifier" ON "pools" USING btree ("tournament_guid") WHERE "pools"."kind" = 'qualifier' and "pools"."status" <> 'archived';--> statement-breakpoint
CREATE INDEX "pools_order" ON "pools" USING btree ("tournament_guid","order","guid");--> statement-breakpoint
CREATE INDEX "pools_publish_at" ON "pools" USING btree ("publish_at") WHERE "pools"."status" = 'draft' and "pools"."publish_at" is not null;--> statement-breakpoint
CREATE INDEX "pools_announce_at" ON "pools" USING btree ("announce_at") WHERE "pools"."announce_at" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "map_votes_once_on_suggestion" ON "map_votes" USING btree ("suggestion_guid","user_guid");--> statement-breakpoint
CREATE UNIQUE INDEX "map_votes_once_on_map" ON "map_votes" USING btree ("pool_map_guid","user_guid");--> statement-breakpoint
CREATE INDEX "map_votes_by_user" ON "map_votes" USING btree ("user_guid","voted_at");--> statement-breakpoint
CREATE INDEX "pool_comments_on_suggestion" ON "pool_comments" USING btree ("suggestion_guid","created_at","guid");--> statement-breakpoint
CREATE INDEX "pool_comments_on_map" ON "pool_comments" USING btree ("pool_map_guid","created_at","guid");--> statement-breakpoint
CREATE INDEX "pool_comments_by_author" ON "pool_comments" USING btree ("author_guid","created_at","guid");--> statement-breakpoint
CREATE INDEX "pool_comments_of_tournament" ON "pool_comments" USING btree ("tournament_guid");--> statement-breakpoint
CREATE INDEX "pool_comments_replies" ON "pool_comments" USING btree ("reply_to_guid") WHERE "pool_comments"."reply_to_guid" is not null;--> statement-breakpoint
CREATE INDEX "suggestions_newest" ON "suggestions" USING btree ("tournament_guid","created_at","guid");--> statement-breakpoint
CREATE INDEX "suggestions_by_status" ON "suggestions" USING btree ("tournament_guid","status","created_at","guid");--> statement-breakpoint
CREATE INDEX "suggestions_by_user" ON "suggestions" USING btree ("suggested_by_guid","created_at","guid");--> statement-breakpoint
CREATE INDEX "suggestions_decided_by" ON "suggestions" USING btree ("decided_by_guid");--> statement-breakpoint
CREATE INDEX "suggestions_open_map" ON "suggestions" USING btree ("tournament_guid","map_guid") WHERE "suggestions"."status" = 'open';--> statement-breakpoint
CREATE INDEX "suggestions_of_map" ON "suggestions" USING btree ("map_guid");--> statement-breakpoint
CREATE INDEX "suggestions_target_pool" ON "suggestions" USING btree ("target_pool_guid");--> statement-breakpoint
CREATE INDEX "suggestions_target_flair" ON "suggestions" USING btree ("target_flair_guid");--> statement-breakpoint
-- Whether a text begins with one of these.
create function starts_with_any(value text, prefixes text[]) returns boolean language sql immutable parallel safe
return exists (select from unnest(prefixes) as prefix where starts_with(value, prefix));
