CREATE TABLE "overlay_controls" (
	"overlay_guid" uuid PRIMARY KEY NOT NULL,
	"scene" text,
	"match_guid" uuid,
	"pointed_seq" bigint DEFAULT 0 NOT NULL,
	"swap_sides" boolean DEFAULT false NOT NULL,
	"map_card" text DEFAULT 'auto' NOT NULL,
	"audio_active" smallint DEFAULT 0 NOT NULL,
	"audio_muted" boolean DEFAULT false NOT NULL,
	"audio_volume" real DEFAULT 1 NOT NULL,
	"casters" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"flavour" text DEFAULT '' NOT NULL,
	"highlighted" uuid[] DEFAULT '{}' NOT NULL,
	"countdown_to" timestamp (3) with time zone,
	"blank" boolean DEFAULT false NOT NULL,
	"custom" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"auto_advance" boolean DEFAULT true NOT NULL,
	"auto_delay_ms" integer DEFAULT 4000 NOT NULL,
	"revision" integer DEFAULT 0 NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_by" uuid,
	"scene_seq" bigint DEFAULT 0 NOT NULL,
	"advance_to" text,
	"advance_at" timestamp (3) with time zone,
	"turns" bigint[] DEFAULT '{}' NOT NULL,
	CONSTRAINT "overlay_controls_map_card" CHECK ("overlay_controls"."map_card" in ('auto', 'shown', 'hidden')),
	CONSTRAINT "overlay_controls_audio" CHECK ("overlay_controls"."audio_active" between 0 and 2 and "overlay_controls"."audio_volume" between 0 and 1),
	CONSTRAINT "overlay_controls_delay" CHECK ("overlay_controls"."auto_delay_ms" between 0 and 30000),
	CONSTRAINT "overlay_controls_advance" CHECK (("overlay_controls"."advance_to" is null) = ("overlay_controls"."advance_at" is null))
);
--> statement-breakpoint
CREATE TABLE "overlay_editors" (
	"overlay_guid" uuid NOT NULL,
	"user_guid" uuid NOT NULL,
	"added_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "overlay_editors_overlay_guid_user_guid_pk" PRIMARY KEY("overlay_guid","user_guid")
);
--> statement-breakpoint
CREATE TABLE "overlay_tokens" (
	"guid" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"overlay_guid" uuid NOT NULL,
	"digest" "bytea" NOT NULL,
	"label" text NOT NULL,
	"last_four" text NOT NULL,
	"preview" boolean NOT NULL,
	"expires_at" timestamp (3) with time zone,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"created_by" uuid,
	"last_used_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "overlays" (
	"guid" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"tournament_guid" uuid NOT NULL,
	"name" text NOT NULL,
	"access" text DEFAULT 'token' NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "overlays_access" CHECK ("overlays"."access" in ('token', 'public'))
);
--> statement-breakpoint
CREATE TABLE "overlay_client_leases" (
	"overlay_guid" uuid NOT NULL,
	"generation" integer NOT NULL,
	"client" bigint NOT NULL,
	"user_guid" uuid NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	CONSTRAINT "overlay_client_leases_overlay_guid_generation_client_pk" PRIMARY KEY("overlay_guid","generation","client")
);
--> statement-breakpoint
CREATE TABLE "overlay_drafts" (
	"overlay_guid" uuid PRIMARY KEY NOT NULL,
	"generation" integer DEFAULT 1 NOT NULL,
	"revision" integer DEFAULT 0 NOT NULL,
	"seq" bigint DEFAULT 0 NOT NULL,
	"state" "bytea" NOT NULL,
	"state_seq" bigint DEFAULT 0 NOT NULL,
	"pending_bytes" integer DEFAULT 0 NOT NULL,
	"pending_count" integer DEFAULT 0 NOT NULL,
	"digest" "bytea" NOT NULL,
	"json_bytes" integer NOT NULL,
	"canvas_width" smallint NOT NULL,
	"canvas_height" smallint NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"updated_by" uuid,
	"edited_since" timestamp (3) with time zone,
	"noted_at" timestamp (3) with time zone,
	"present_at" timestamp (3) with time zone,
	"published_version" integer,
	"next_version" integer DEFAULT 1 NOT NULL,
	CONSTRAINT "overlay_drafts_state" CHECK (octet_length("overlay_drafts"."state") <= 16777216)
);
--> statement-breakpoint
CREATE TABLE "overlay_templates" (
	"guid" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"user_guid" uuid NOT NULL,
	"name" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"bytes" integer NOT NULL,
	"document" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "overlay_updates" (
	"overlay_guid" uuid NOT NULL,
	"generation" integer NOT NULL,
	"seq" bigint NOT NULL,
	"kind" text NOT NULL,
	"data" "bytea" NOT NULL,
	"revision" integer NOT NULL,
	"connection" uuid,
	"user_guid" uuid,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "overlay_updates_overlay_guid_generation_seq_pk" PRIMARY KEY("overlay_guid","generation","seq"),
	CONSTRAINT "overlay_updates_size" CHECK (octet_length("overlay_updates"."data") <= case "overlay_updates"."kind" when 'edit' then 65536 else 8388608 end)
);
--> statement-breakpoint
CREATE TABLE "overlay_versions" (
	"overlay_guid" uuid NOT NULL,
	"number" integer NOT NULL,
	"kind" text NOT NULL,
	"name" text,
	"by" uuid,
	"at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"bytes" integer NOT NULL,
	"digest" "bytea" NOT NULL,
	"assets" uuid[] DEFAULT '{}' NOT NULL,
	"document" text NOT NULL,
	CONSTRAINT "overlay_versions_overlay_guid_number_pk" PRIMARY KEY("overlay_guid","number")
);
--> statement-breakpoint
ALTER TABLE "overlay_controls" ADD CONSTRAINT "overlay_controls_overlay_guid_overlays_guid_fk" FOREIGN KEY ("overlay_guid") REFERENCES "public"."overlays"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "overlay_controls" ADD CONSTRAINT "overlay_controls_match_guid_matches_guid_fk" FOREIGN KEY ("match_guid") REFERENCES "public"."matches"("guid") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "overlay_controls" ADD CONSTRAINT "overlay_controls_updated_by_users_guid_fk" FOREIGN KEY ("updated_by") REFERENCES "public"."users"("guid") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "overlay_editors" ADD CONSTRAINT "overlay_editors_overlay_guid_overlays_guid_fk" FOREIGN KEY ("overlay_guid") REFERENCES "public"."overlays"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "overlay_editors" ADD CONSTRAINT "overlay_editors_user_guid_users_guid_fk" FOREIGN KEY ("user_guid") REFERENCES "public"."users"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "overlay_tokens" ADD CONSTRAINT "overlay_tokens_overlay_guid_overlays_guid_fk" FOREIGN KEY ("overlay_guid") REFERENCES "public"."overlays"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "overlay_tokens" ADD CONSTRAINT "overlay_tokens_created_by_users_guid_fk" FOREIGN KEY ("created_by") REFERENCES "public"."users"("guid") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "overlays" ADD CONSTRAINT "overlays_tournament_guid_tournaments_guid_fk" FOREIGN KEY ("tournament_guid") REFERENCES "public"."tournaments"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "overlay_client_leases" ADD CONSTRAINT "overlay_client_leases_overlay_guid_overlays_guid_fk" FOREIGN KEY ("overlay_guid") REFERENCES "public"."overlays"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "overlay_client_leases" ADD CONSTRAINT "overlay_client_leases_user_guid_users_guid_fk" FOREIGN KEY ("user_guid") REFERENCES "public"."users"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "overlay_drafts" ADD CONSTRAINT "overlay_drafts_overlay_guid_overlays_guid_fk" FOREIGN KEY ("overlay_guid") REFERENCES "public"."overlays"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "overlay_drafts" ADD CONSTRAINT "overlay_drafts_updated_by_users_guid_fk" FOREIGN KEY ("updated_by") REFERENCES "public"."users"("guid") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "overlay_templates" ADD CONSTRAINT "overlay_templates_user_guid_users_guid_fk" FOREIGN KEY ("user_guid") REFERENCES "public"."users"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "overlay_updates" ADD CONSTRAINT "overlay_updates_overlay_guid_overlays_guid_fk" FOREIGN KEY ("overlay_guid") REFERENCES "public"."overlays"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "overlay_updates" ADD CONSTRAINT "overlay_updates_user_guid_users_guid_fk" FOREIGN KEY ("user_guid") REFERENCES "public"."users"("guid") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "overlay_versions" ADD CONSTRAINT "overlay_versions_overlay_guid_overlays_guid_fk" FOREIGN KEY ("overlay_guid") REFERENCES "public"."overlays"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "overlay_versions" ADD CONSTRAINT "overlay_versions_by_users_guid_fk" FOREIGN KEY ("by") REFERENCES "public"."users"("guid") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "overlay_controls_match" ON "overlay_controls" USING btree ("match_guid") WHERE "overlay_controls"."match_guid" is not null;--> statement-breakpoint
CREATE INDEX "overlay_controls_casters" ON "overlay_controls" USING gin ("casters" jsonb_path_ops);--> statement-breakpoint
CREATE INDEX "overlay_controls_due" ON "overlay_controls" USING btree ("advance_at") WHERE "overlay_controls"."advance_at" is not null;--> statement-breakpoint
CREATE INDEX "overlay_controls_updated_by" ON "overlay_controls" USING btree ("updated_by");--> statement-breakpoint
CREATE INDEX "overlay_editors_user" ON "overlay_editors" USING btree ("user_guid");--> statement-breakpoint
CREATE UNIQUE INDEX "overlay_tokens_digest_unique" ON "overlay_tokens" USING btree ("digest");--> statement-breakpoint
CREATE INDEX "overlay_tokens_listed" ON "overlay_tokens" USING btree ("overlay_guid","created_at","guid");--> statement-breakpoint
CREATE INDEX "overlay_tokens_created_by" ON "overlay_tokens" USING btree ("created_by");--> statement-breakpoint
CREATE INDEX "overlay_tokens_expires" ON "overlay_tokens" USING btree ("expires_at");--> statement-breakpoint
CREATE UNIQUE INDEX "overlays_name_unique" ON "overlays" USING btree ("tournament_guid",lower("name"));--> statement-breakpoint
CREATE INDEX "overlays_listed" ON "overlays" USING btree ("tournament_guid","created_at","guid");--> statement-breakpoint
CREATE INDEX "overlay_client_leases_user" ON "overlay_client_leases" USING btree ("user_guid","overlay_guid");--> statement-breakpoint
CREATE INDEX "overlay_drafts_updated_by" ON "overlay_drafts" USING btree ("updated_by");--> statement-breakpoint
CREATE INDEX "overlay_drafts_edited" ON "overlay_drafts" USING btree ("edited_since") WHERE "overlay_drafts"."edited_since" is not null;--> statement-breakpoint
CREATE INDEX "overlay_drafts_pending" ON "overlay_drafts" USING btree ("updated_at") WHERE "overlay_drafts"."pending_count" > 0;--> statement-breakpoint
CREATE INDEX "overlay_templates_listed" ON "overlay_templates" USING btree ("user_guid","created_at","guid");--> statement-breakpoint
CREATE UNIQUE INDEX "overlay_templates_name_unique" ON "overlay_templates" USING btree ("user_guid",lower("name"));--> statement-breakpoint
CREATE INDEX "overlay_updates_user" ON "overlay_updates" USING btree ("user_guid");--> statement-breakpoint
CREATE INDEX "overlay_versions_kind" ON "overlay_versions" USING btree ("overlay_guid","kind","number");--> statement-breakpoint
CREATE INDEX "overlay_versions_by" ON "overlay_versions" USING btree ("by");