CREATE TABLE "package_numbers" (
	"tournament_guid" uuid NOT NULL,
	"kind" text NOT NULL,
	"key" "bytea" NOT NULL,
	"number" integer NOT NULL,
	CONSTRAINT "package_numbers_tournament_guid_kind_key_pk" PRIMARY KEY("tournament_guid","kind","key"),
	CONSTRAINT "package_numbers_kind_known" CHECK ("package_numbers"."kind" in ('person', 'team', 'text', 'weeks'))
);
--> statement-breakpoint
ALTER TABLE "package_numbers" ADD CONSTRAINT "package_numbers_tournament_guid_tournaments_guid_fk" FOREIGN KEY ("tournament_guid") REFERENCES "public"."tournaments"("guid") ON DELETE cascade ON UPDATE no action;
