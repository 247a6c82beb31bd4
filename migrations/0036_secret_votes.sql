ALTER TABLE "award_editions" ADD COLUMN "exclusions_fixed_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "award_votes" ADD COLUMN "departed" uuid;