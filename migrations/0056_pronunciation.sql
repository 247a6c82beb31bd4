ALTER TABLE "users" ADD COLUMN "pronunciation" text;--> statement-breakpoint
ALTER TABLE "teams" ADD COLUMN "pronunciation" text;--> statement-breakpoint
CREATE INDEX "matches_rounds" ON "matches" USING btree ("bracket_guid","section","round");--> statement-breakpoint
ALTER TABLE "tournaments" ADD COLUMN "cancel_reason" text;
