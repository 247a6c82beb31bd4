CREATE TABLE "calendar_tokens" (
	"user_guid" uuid PRIMARY KEY NOT NULL,
	"digest" "bytea" NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
ALTER TABLE "calendar_tokens" ADD CONSTRAINT "calendar_tokens_user_guid_users_guid_fk" FOREIGN KEY ("user_guid") REFERENCES "public"."users"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "calendar_tokens_digest_unique" ON "calendar_tokens" USING btree ("digest");--> statement-breakpoint
CREATE INDEX "matches_calendar" ON "matches" USING btree ("scheduled_at","guid") WHERE "matches"."scheduled_at" is not null;--> statement-breakpoint
CREATE INDEX "qualifiers_span" ON "qualifiers" USING gist (tstzrange(coalesce("opens_at", "closes_at"), coalesce("closes_at", "opens_at"), '[]')) WHERE coalesce("qualifiers"."opens_at", "qualifiers"."closes_at") is not null;--> statement-breakpoint
CREATE INDEX "qualifiers_calendar" ON "qualifiers" USING btree (coalesce("opens_at", "closes_at"),"guid") WHERE coalesce("qualifiers"."opens_at", "qualifiers"."closes_at") is not null;