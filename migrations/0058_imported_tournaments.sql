CREATE TABLE "package_people" (
	"tournament_guid" uuid NOT NULL,
	"package_guid" uuid NOT NULL,
	"user_guid" uuid NOT NULL,
	"was_placeholder" boolean NOT NULL,
	CONSTRAINT "package_people_tournament_guid_package_guid_pk" PRIMARY KEY("tournament_guid","package_guid")
);
--> statement-breakpoint
ALTER TABLE "package_people" ADD CONSTRAINT "package_people_tournament_guid_tournaments_guid_fk" FOREIGN KEY ("tournament_guid") REFERENCES "public"."tournaments"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "package_people" ADD CONSTRAINT "package_people_user_guid_users_guid_fk" FOREIGN KEY ("user_guid") REFERENCES "public"."users"("guid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "package_people_user" ON "package_people" USING btree ("tournament_guid","user_guid");--> statement-breakpoint
CREATE INDEX "package_people_of_user" ON "package_people" USING btree ("user_guid");--> statement-breakpoint
-- Numbers for events that happened in another service: blocks below zero, each for the events of one tournament. Readers
-- of news ask for what is above a number that they have seen, and so never see these.
CREATE SEQUENCE "event_log_past" AS bigint INCREMENT BY -200001 MINVALUE -9000000000000000 MAXVALUE -1 START WITH -200001;
