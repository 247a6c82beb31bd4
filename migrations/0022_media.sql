CREATE TABLE "media_blocked" (
	"digest" "bytea" PRIMARY KEY NOT NULL,
	"reason" text NOT NULL,
	"by_guid" uuid,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "media" (
	"guid" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"owner_guid" uuid,
	"tournament_guid" uuid,
	"team_guid" uuid,
	"platform_guid" uuid,
	"type" text NOT NULL,
	"bytes" integer NOT NULL,
	"width" integer,
	"height" integer,
	"is_animated" boolean DEFAULT false NOT NULL,
	"duration_ms" integer,
	"color" text,
	"digest" "bytea" NOT NULL,
	"upload_digest" "bytea" NOT NULL,
	"has_rights_confirmed" boolean DEFAULT false NOT NULL,
	"unused_since" timestamp (3) with time zone,
	"was_used" boolean DEFAULT false NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "media_one_target" CHECK (num_nonnulls("media"."tournament_guid", "media"."platform_guid") <= 1)
);
--> statement-breakpoint
CREATE TABLE "media_quotas" (
	"guid" uuid PRIMARY KEY NOT NULL,
	"used_bytes" bigint DEFAULT 0 NOT NULL,
	"used_files" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "media_usages" (
	"guid" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"media_guid" uuid NOT NULL,
	"subject" text NOT NULL,
	"subject_guid" uuid NOT NULL,
	"field" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "remote_pictures" (
	"address" "bytea" PRIMARY KEY NOT NULL,
	"url" text NOT NULL,
	"digest" "bytea",
	"bytes" integer,
	"fetched_at" timestamp (3) with time zone,
	"retry_at" timestamp (3) with time zone,
	"dropped_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "media_usages" ADD CONSTRAINT "media_usages_used" FOREIGN KEY ("media_guid") REFERENCES "public"."media"("guid") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "media_owner" ON "media" USING btree ("owner_guid","created_at","guid");--> statement-breakpoint
CREATE INDEX "media_tournament" ON "media" USING btree ("tournament_guid","created_at","guid");--> statement-breakpoint
CREATE INDEX "media_team" ON "media" USING btree ("team_guid");--> statement-breakpoint
CREATE INDEX "media_platform" ON "media" USING btree ("platform_guid");--> statement-breakpoint
CREATE INDEX "media_listed" ON "media" USING btree ("created_at","guid");--> statement-breakpoint
CREATE INDEX "media_digest" ON "media" USING btree ("digest");--> statement-breakpoint
CREATE INDEX "media_idle" ON "media" USING btree (coalesce("unused_since", "created_at")) WHERE "media"."unused_since" is not null or not "media"."was_used";--> statement-breakpoint
CREATE UNIQUE INDEX "media_upload" ON "media" USING btree ("upload_digest","kind",coalesce("team_guid", "tournament_guid", "platform_guid", '00000000-0000-0000-0000-000000000000'),coalesce("owner_guid", "guid"));--> statement-breakpoint
CREATE UNIQUE INDEX "media_usages_one" ON "media_usages" USING btree ("subject_guid","field","media_guid");--> statement-breakpoint
CREATE INDEX "media_usages_media" ON "media_usages" USING btree ("media_guid");--> statement-breakpoint
CREATE INDEX "remote_pictures_due" ON "remote_pictures" USING btree ("retry_at");--> statement-breakpoint
CREATE INDEX "remote_pictures_dropped" ON "remote_pictures" USING btree ("dropped_at");--> statement-breakpoint
CREATE TABLE "media_origins" (
	"only" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"origin" text NOT NULL,
	CONSTRAINT "media_origins_one" CHECK ("media_origins"."only")
);
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "chat_avatar_url" text;--> statement-breakpoint
CREATE INDEX "users_avatar" ON "users" USING btree (md5("avatar_url"));--> statement-breakpoint
CREATE INDEX "teams_image" ON "teams" USING btree (md5("image_url")) WHERE "teams"."image_url" is not null;--> statement-breakpoint
CREATE INDEX "tournaments_image" ON "tournaments" USING btree (md5("image_url")) WHERE "tournaments"."image_url" is not null;--> statement-breakpoint
CREATE INDEX "tournaments_banner" ON "tournaments" USING btree (md5("banner_url")) WHERE "tournaments"."banner_url" is not null;--> statement-breakpoint
CREATE INDEX "applications_image" ON "applications" USING btree (md5("image_url")) WHERE "applications"."image_url" is not null;--> statement-breakpoint
CREATE INDEX "remote_pictures_digest" ON "remote_pictures" USING btree ("digest");
