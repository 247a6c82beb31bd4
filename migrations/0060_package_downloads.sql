CREATE TABLE "package_downloads" (
	"tournament_guid" uuid NOT NULL,
	"day" date NOT NULL,
	"count" integer NOT NULL,
	CONSTRAINT "package_downloads_tournament_guid_day_pk" PRIMARY KEY("tournament_guid","day")
);
--> statement-breakpoint
ALTER TABLE "package_downloads" ADD CONSTRAINT "package_downloads_tournament_guid_tournaments_guid_fk" FOREIGN KEY ("tournament_guid") REFERENCES "public"."tournaments"("guid") ON DELETE cascade ON UPDATE no action;
