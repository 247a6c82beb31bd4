CREATE TABLE "tournament_packages" (
	"guid" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"tournament_guid" uuid NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"by_guid" uuid NOT NULL,
	"variant" text NOT NULL,
	"is_private" boolean NOT NULL,
	"bytes" bigint NOT NULL,
	"digest" "bytea" NOT NULL,
	"direction" text NOT NULL,
	"signer" text NOT NULL,
	CONSTRAINT "tournament_packages_variant_known" CHECK ("tournament_packages"."variant" in ('public', 'full', 'anonymised')),
	CONSTRAINT "tournament_packages_direction_known" CHECK ("tournament_packages"."direction" in ('export', 'import')),
	CONSTRAINT "tournament_packages_signer_known" CHECK ("tournament_packages"."signer" in ('known', 'unknown', 'unsigned'))
);
--> statement-breakpoint
ALTER TABLE "tournament_packages" ADD CONSTRAINT "tournament_packages_tournament_guid_tournaments_guid_fk" FOREIGN KEY ("tournament_guid") REFERENCES "public"."tournaments"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tournament_packages" ADD CONSTRAINT "tournament_packages_by_guid_users_guid_fk" FOREIGN KEY ("by_guid") REFERENCES "public"."users"("guid") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "tournament_packages_order" ON "tournament_packages" USING btree ("tournament_guid","created_at","guid");--> statement-breakpoint
CREATE INDEX "tournament_packages_by" ON "tournament_packages" USING btree ("by_guid","created_at","guid");
