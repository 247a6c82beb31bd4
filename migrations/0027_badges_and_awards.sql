CREATE TABLE "award_ballots" (
	"category_guid" uuid NOT NULL,
	"round" smallint DEFAULT 1 NOT NULL,
	"number" integer NOT NULL,
	"nominee_guid" uuid NOT NULL,
	CONSTRAINT "award_ballots_category_guid_round_number_pk" PRIMARY KEY("category_guid","round","number")
);
--> statement-breakpoint
CREATE TABLE "award_categories" (
	"guid" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"edition_guid" uuid NOT NULL,
	"name" text NOT NULL,
	"description" text NOT NULL,
	"order" smallint NOT NULL,
	"nominee_type" text NOT NULL,
	"shortlist_size" smallint NOT NULL,
	"badge_guid" uuid,
	"runoff_nominees" uuid[]
);
--> statement-breakpoint
CREATE TABLE "award_editions" (
	"guid" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"id" text NOT NULL,
	"title" text NOT NULL,
	"description" text NOT NULL,
	"banner_url" text,
	"status" text NOT NULL,
	"nominations_open_at" timestamp (3) with time zone NOT NULL,
	"nominations_close_at" timestamp (3) with time zone NOT NULL,
	"voting_opens_at" timestamp (3) with time zone NOT NULL,
	"voting_closes_at" timestamp (3) with time zone NOT NULL,
	"publish_at" timestamp (3) with time zone,
	"rules" jsonb NOT NULL,
	"runoff_categories" uuid[],
	"runoff_closes_at" timestamp (3) with time zone,
	"cancel_reason" text,
	"published_at" timestamp (3) with time zone,
	"votes_deleted_at" timestamp (3) with time zone,
	"results" jsonb,
	"corrections" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"turnout" integer DEFAULT 0 NOT NULL,
	"turnout_at" timestamp (3) with time zone,
	"created_by" uuid,
	"revision" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "award_editions_status_known" CHECK ("award_editions"."status" in ('draft', 'nominating', 'shortlisting', 'voting', 'counting', 'published', 'cancelled'))
);
--> statement-breakpoint
CREATE TABLE "award_exclusions" (
	"edition_guid" uuid NOT NULL,
	"user_guid" uuid NOT NULL,
	"reason" text NOT NULL,
	"answer" text,
	"answered_at" timestamp (3) with time zone,
	"excluded_by" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "award_exclusions_edition_guid_user_guid_pk" PRIMARY KEY("edition_guid","user_guid")
);
--> statement-breakpoint
CREATE TABLE "award_nominations" (
	"guid" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"category_guid" uuid NOT NULL,
	"user_guid" uuid NOT NULL,
	"target_guid" uuid,
	"label" text,
	"link" text,
	"target_key" text NOT NULL,
	"reason" text,
	"nominee_guid" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"withdrawn_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "award_nominees" (
	"guid" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"category_guid" uuid NOT NULL,
	"label" text NOT NULL,
	"image_url" text,
	"link" text,
	"description" text DEFAULT '' NOT NULL,
	"target_guid" uuid,
	"members" uuid[] DEFAULT '{}' NOT NULL,
	"declined_at" timestamp (3) with time zone,
	"result" jsonb,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "award_roll" (
	"category_guid" uuid NOT NULL,
	"user_guid" uuid NOT NULL,
	CONSTRAINT "award_roll_category_guid_user_guid_pk" PRIMARY KEY("category_guid","user_guid")
);
--> statement-breakpoint
CREATE TABLE "award_voters" (
	"edition_guid" uuid NOT NULL,
	"user_guid" uuid NOT NULL,
	CONSTRAINT "award_voters_edition_guid_user_guid_pk" PRIMARY KEY("edition_guid","user_guid")
);
--> statement-breakpoint
CREATE TABLE "award_votes" (
	"guid" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"category_guid" uuid NOT NULL,
	"round" smallint DEFAULT 1 NOT NULL,
	"user_guid" uuid,
	"nominee_guid" uuid NOT NULL,
	"cast_at" timestamp (3) with time zone NOT NULL,
	"changes" integer DEFAULT 0 NOT NULL,
	"failures" text[]
);
--> statement-breakpoint
CREATE TABLE "badge_requests" (
	"guid" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"tournament_guid" uuid NOT NULL,
	"status" text NOT NULL,
	"message" text NOT NULL,
	"badges" jsonb NOT NULL,
	"reason" text,
	"created_by" uuid,
	"reviewed_by" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"decided_at" timestamp (3) with time zone,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "badge_requests_status_known" CHECK ("badge_requests"."status" in ('pending', 'approved', 'rejected', 'withdrawn'))
);
--> statement-breakpoint
CREATE TABLE "badge_grants" (
	"guid" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"badge_guid" uuid NOT NULL,
	"user_guid" uuid NOT NULL,
	"label" text,
	"place" smallint,
	"awarded_at" timestamp (3) with time zone NOT NULL,
	"source" text NOT NULL,
	"hidden" boolean DEFAULT false NOT NULL,
	"position" smallint,
	"granted_by" uuid,
	"revoked_at" timestamp (3) with time zone,
	"revoke_reason" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "badge_grants_source_known" CHECK ("badge_grants"."source" in ('request', 'manual', 'import', 'award')),
	CONSTRAINT "badge_grants_place_real" CHECK ("badge_grants"."place" between 1 and 999)
);
--> statement-breakpoint
CREATE TABLE "badge_imports" (
	"guid" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"status" text NOT NULL,
	"dry_run" boolean NOT NULL,
	"report" jsonb NOT NULL,
	"created_by" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"finished_at" timestamp (3) with time zone,
	CONSTRAINT "badge_imports_status_known" CHECK ("badge_imports"."status" in ('running', 'done', 'failed'))
);
--> statement-breakpoint
CREATE TABLE "badges" (
	"guid" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"name" text NOT NULL,
	"description" text NOT NULL,
	"kind" text NOT NULL,
	"media_guid" uuid NOT NULL,
	"image_url" text NOT NULL,
	"tournament_guid" uuid,
	"edition_guid" uuid,
	"holders" integer DEFAULT 0 NOT NULL,
	"import_digest" "bytea",
	"retired_at" timestamp (3) with time zone,
	"created_by" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "badges_kind_known" CHECK ("badges"."kind" in ('placement', 'participation', 'staff', 'award', 'special')),
	CONSTRAINT "badges_holders_counted" CHECK ("badges"."holders" >= 0)
);
--> statement-breakpoint
ALTER TABLE "award_ballots" ADD CONSTRAINT "award_ballots_category_guid_award_categories_guid_fk" FOREIGN KEY ("category_guid") REFERENCES "public"."award_categories"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "award_ballots" ADD CONSTRAINT "award_ballots_nominee_guid_award_nominees_guid_fk" FOREIGN KEY ("nominee_guid") REFERENCES "public"."award_nominees"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "award_categories" ADD CONSTRAINT "award_categories_edition_guid_award_editions_guid_fk" FOREIGN KEY ("edition_guid") REFERENCES "public"."award_editions"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "award_categories" ADD CONSTRAINT "award_categories_badge_guid_badges_guid_fk" FOREIGN KEY ("badge_guid") REFERENCES "public"."badges"("guid") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "award_editions" ADD CONSTRAINT "award_editions_created_by_users_guid_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("guid") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "award_exclusions" ADD CONSTRAINT "award_exclusions_edition_guid_award_editions_guid_fk" FOREIGN KEY ("edition_guid") REFERENCES "public"."award_editions"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "award_exclusions" ADD CONSTRAINT "award_exclusions_user_guid_users_guid_fk" FOREIGN KEY ("user_guid") REFERENCES "public"."users"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "award_exclusions" ADD CONSTRAINT "award_exclusions_excluded_by_users_guid_fk" FOREIGN KEY ("excluded_by") REFERENCES "public"."users"("guid") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "award_nominations" ADD CONSTRAINT "award_nominations_category_guid_award_categories_guid_fk" FOREIGN KEY ("category_guid") REFERENCES "public"."award_categories"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "award_nominations" ADD CONSTRAINT "award_nominations_user_guid_users_guid_fk" FOREIGN KEY ("user_guid") REFERENCES "public"."users"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "award_nominations" ADD CONSTRAINT "award_nominations_nominee_guid_award_nominees_guid_fk" FOREIGN KEY ("nominee_guid") REFERENCES "public"."award_nominees"("guid") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "award_nominees" ADD CONSTRAINT "award_nominees_category_guid_award_categories_guid_fk" FOREIGN KEY ("category_guid") REFERENCES "public"."award_categories"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "award_roll" ADD CONSTRAINT "award_roll_category_guid_award_categories_guid_fk" FOREIGN KEY ("category_guid") REFERENCES "public"."award_categories"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "award_roll" ADD CONSTRAINT "award_roll_user_guid_users_guid_fk" FOREIGN KEY ("user_guid") REFERENCES "public"."users"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "award_voters" ADD CONSTRAINT "award_voters_edition_guid_award_editions_guid_fk" FOREIGN KEY ("edition_guid") REFERENCES "public"."award_editions"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "award_voters" ADD CONSTRAINT "award_voters_user_guid_users_guid_fk" FOREIGN KEY ("user_guid") REFERENCES "public"."users"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "award_votes" ADD CONSTRAINT "award_votes_category_guid_award_categories_guid_fk" FOREIGN KEY ("category_guid") REFERENCES "public"."award_categories"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "award_votes" ADD CONSTRAINT "award_votes_user_guid_users_guid_fk" FOREIGN KEY ("user_guid") REFERENCES "public"."users"("guid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "award_votes" ADD CONSTRAINT "award_votes_nominee_guid_award_nominees_guid_fk" FOREIGN KEY ("nominee_guid") REFERENCES "public"."award_nominees"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "badge_requests" ADD CONSTRAINT "badge_requests_tournament_guid_tournaments_guid_fk" FOREIGN KEY ("tournament_guid") REFERENCES "public"."tournaments"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "badge_requests" ADD CONSTRAINT "badge_requests_created_by_users_guid_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("guid") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "badge_requests" ADD CONSTRAINT "badge_requests_reviewed_by_users_guid_fk" FOREIGN KEY ("reviewed_by") REFERENCES "public"."users"("guid") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "badge_grants" ADD CONSTRAINT "badge_grants_badge_guid_badges_guid_fk" FOREIGN KEY ("badge_guid") REFERENCES "public"."badges"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "badge_grants" ADD CONSTRAINT "badge_grants_user_guid_users_guid_fk" FOREIGN KEY ("user_guid") REFERENCES "public"."users"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "badge_grants" ADD CONSTRAINT "badge_grants_granted_by_users_guid_fk" FOREIGN KEY ("granted_by") REFERENCES "public"."users"("guid") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "badge_imports" ADD CONSTRAINT "badge_imports_created_by_users_guid_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("guid") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "badges" ADD CONSTRAINT "badges_tournament_guid_tournaments_guid_fk" FOREIGN KEY ("tournament_guid") REFERENCES "public"."tournaments"("guid") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "badges" ADD CONSTRAINT "badges_created_by_users_guid_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("guid") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "award_ballots_nominee" ON "award_ballots" USING btree ("nominee_guid");--> statement-breakpoint
CREATE INDEX "award_categories_edition" ON "award_categories" USING btree ("edition_guid","order");--> statement-breakpoint
CREATE INDEX "award_categories_badge" ON "award_categories" USING btree ("badge_guid");--> statement-breakpoint
CREATE UNIQUE INDEX "award_editions_id_unique" ON "award_editions" USING btree (lower("id"));--> statement-breakpoint
CREATE INDEX "award_editions_newest" ON "award_editions" USING btree ("created_at","guid");--> statement-breakpoint
CREATE INDEX "award_editions_created_by" ON "award_editions" USING btree ("created_by");--> statement-breakpoint
CREATE INDEX "award_exclusions_user" ON "award_exclusions" USING btree ("user_guid");--> statement-breakpoint
CREATE INDEX "award_exclusions_excluded_by" ON "award_exclusions" USING btree ("excluded_by");--> statement-breakpoint
CREATE UNIQUE INDEX "award_nominations_target_unique" ON "award_nominations" USING btree ("category_guid","user_guid","target_key") WHERE "award_nominations"."withdrawn_at" is null;--> statement-breakpoint
CREATE INDEX "award_nominations_category" ON "award_nominations" USING btree ("category_guid","created_at","guid");--> statement-breakpoint
CREATE INDEX "award_nominations_user" ON "award_nominations" USING btree ("user_guid");--> statement-breakpoint
CREATE INDEX "award_nominations_nominee" ON "award_nominations" USING btree ("nominee_guid");--> statement-breakpoint
CREATE INDEX "award_nominees_category" ON "award_nominees" USING btree ("category_guid");--> statement-breakpoint
CREATE INDEX "award_nominees_target" ON "award_nominees" USING btree ("target_guid");--> statement-breakpoint
CREATE INDEX "award_roll_user" ON "award_roll" USING btree ("user_guid");--> statement-breakpoint
CREATE INDEX "award_voters_user" ON "award_voters" USING btree ("user_guid");--> statement-breakpoint
CREATE UNIQUE INDEX "award_votes_user_unique" ON "award_votes" USING btree ("category_guid","round","user_guid");--> statement-breakpoint
CREATE INDEX "award_votes_user" ON "award_votes" USING btree ("user_guid");--> statement-breakpoint
CREATE INDEX "award_votes_nominee" ON "award_votes" USING btree ("nominee_guid");--> statement-breakpoint
CREATE UNIQUE INDEX "badge_requests_pending_unique" ON "badge_requests" USING btree ("tournament_guid") WHERE "badge_requests"."status" = 'pending';--> statement-breakpoint
CREATE INDEX "badge_requests_tournament" ON "badge_requests" USING btree ("tournament_guid","created_at","guid");--> statement-breakpoint
CREATE INDEX "badge_requests_waiting" ON "badge_requests" USING btree (("status" <> 'pending'),"created_at","guid");--> statement-breakpoint
CREATE INDEX "badge_requests_created_by" ON "badge_requests" USING btree ("created_by");--> statement-breakpoint
CREATE INDEX "badge_requests_reviewed_by" ON "badge_requests" USING btree ("reviewed_by");--> statement-breakpoint
CREATE INDEX "badge_requests_recipients" ON "badge_requests" USING gin ("badges" jsonb_path_ops);--> statement-breakpoint
CREATE UNIQUE INDEX "badge_grants_held_unique" ON "badge_grants" USING btree ("badge_guid","user_guid") WHERE "badge_grants"."revoked_at" is null;--> statement-breakpoint
CREATE INDEX "badge_grants_holders" ON "badge_grants" USING btree ("badge_guid","created_at","guid");--> statement-breakpoint
CREATE INDEX "badge_grants_of_user" ON "badge_grants" USING btree ("user_guid","position","awarded_at","guid");--> statement-breakpoint
CREATE INDEX "badge_grants_granted_by" ON "badge_grants" USING btree ("granted_by");--> statement-breakpoint
CREATE UNIQUE INDEX "badge_imports_running_unique" ON "badge_imports" USING btree ("status") WHERE "badge_imports"."status" = 'running';--> statement-breakpoint
CREATE INDEX "badge_imports_newest" ON "badge_imports" USING btree ("created_at","guid");--> statement-breakpoint
CREATE INDEX "badge_imports_created_by" ON "badge_imports" USING btree ("created_by");--> statement-breakpoint
CREATE INDEX "badges_newest" ON "badges" USING btree ("created_at","guid");--> statement-breakpoint
CREATE INDEX "badges_tournament" ON "badges" USING btree ("tournament_guid");--> statement-breakpoint
CREATE INDEX "badges_name" ON "badges" USING btree (lower("name"));--> statement-breakpoint
CREATE UNIQUE INDEX "badges_import_unique" ON "badges" USING btree ("import_digest");--> statement-breakpoint
CREATE INDEX "badges_created_by" ON "badges" USING btree ("created_by");