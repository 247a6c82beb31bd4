-- Sheets of teams, and the links by which people take over their placeholders.
CREATE TABLE "imported_teams" (
	"team_guid" uuid PRIMARY KEY NOT NULL REFERENCES "teams" ("guid") ON DELETE cascade,
	"tournament_guid" uuid NOT NULL REFERENCES "tournaments" ("guid") ON DELETE cascade,
	"external_id" text,
	"sheet_name" text NOT NULL
);
--> statement-breakpoint
CREATE UNIQUE INDEX "imported_teams_external_id" ON "imported_teams" USING btree ("tournament_guid","external_id");
--> statement-breakpoint
CREATE TABLE "imported_people" (
	"team_guid" uuid NOT NULL REFERENCES "teams" ("guid") ON DELETE cascade,
	"mention" text NOT NULL,
	"tournament_guid" uuid NOT NULL REFERENCES "tournaments" ("guid") ON DELETE cascade,
	"user_guid" uuid NOT NULL REFERENCES "users" ("guid"),
	CONSTRAINT "imported_people_team_guid_mention_pk" PRIMARY KEY("team_guid","mention")
);
--> statement-breakpoint
CREATE INDEX "imported_people_of_tournament" ON "imported_people" USING btree ("tournament_guid");
--> statement-breakpoint
CREATE INDEX "imported_people_of_user" ON "imported_people" USING btree ("user_guid");
--> statement-breakpoint
ALTER TABLE "team_invitations" ADD COLUMN "stand_in_guid" uuid REFERENCES "users" ("guid");
--> statement-breakpoint
CREATE INDEX "team_invitations_stand_in" ON "team_invitations" USING btree ("stand_in_guid") WHERE "team_invitations"."stand_in_guid" is not null;
--> statement-breakpoint
CREATE INDEX "team_invitations_pending" ON "team_invitations" USING btree ("tournament_guid","team_guid") WHERE "team_invitations"."status" = 'pending';
--> statement-breakpoint
CREATE TABLE "claim_links" (
	"guid" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"placeholder_guid" uuid NOT NULL REFERENCES "users" ("guid"),
	"tournament_guid" uuid NOT NULL REFERENCES "tournaments" ("guid") ON DELETE cascade,
	"secret_hash" "bytea" NOT NULL,
	"created_by_guid" uuid NOT NULL REFERENCES "users" ("guid"),
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp (3) with time zone NOT NULL,
	"used_at" timestamp (3) with time zone,
	"revoked_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE UNIQUE INDEX "claim_links_secret" ON "claim_links" USING btree ("secret_hash");
--> statement-breakpoint
CREATE INDEX "claim_links_of_placeholder" ON "claim_links" USING btree ("placeholder_guid","created_at","guid");
--> statement-breakpoint
CREATE INDEX "claim_links_by" ON "claim_links" USING btree ("created_by_guid","created_at");
--> statement-breakpoint
CREATE TABLE "claims" (
	"guid" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"placeholder_guid" uuid NOT NULL REFERENCES "users" ("guid"),
	"user_guid" uuid NOT NULL REFERENCES "users" ("guid"),
	"tournament_guid" uuid NOT NULL REFERENCES "tournaments" ("guid") ON DELETE cascade,
	"moved" jsonb NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"undone_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE INDEX "claims_of_user" ON "claims" USING btree ("user_guid","created_at");
--> statement-breakpoint
CREATE INDEX "claims_of_placeholder" ON "claims" USING btree ("placeholder_guid","created_at");
