ALTER TABLE "users" ADD COLUMN "pronunciation" text;--> statement-breakpoint
ALTER TABLE "teams" ADD COLUMN "pronunciation" text;
