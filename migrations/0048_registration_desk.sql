CREATE TABLE "team_notes" (
	"team_guid" uuid PRIMARY KEY NOT NULL,
	"note" text NOT NULL,
	"updated_at" timestamp (3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "team_notes" ADD CONSTRAINT "team_notes_team_guid_teams_guid_fk" FOREIGN KEY ("team_guid") REFERENCES "public"."teams"("guid") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "teams" ADD COLUMN "changed_at" timestamp (3) with time zone;
