ALTER TABLE "brackets" ADD COLUMN "ruling" jsonb;--> statement-breakpoint
ALTER TABLE "qualifiers" ADD COLUMN "ruling" jsonb;