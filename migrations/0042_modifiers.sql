ALTER TABLE "qualifier_attempts" DROP CONSTRAINT "qualifier_attempts_accuracy";--> statement-breakpoint
ALTER TABLE "qualifier_unmatched" ALTER COLUMN "score" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "qualifiers" ADD COLUMN "modifiers" text DEFAULT 'any' NOT NULL;--> statement-breakpoint
ALTER TABLE "qualifier_attempts" ADD CONSTRAINT "qualifier_attempts_accuracy" CHECK ("qualifier_attempts"."accuracy" between 0 and 2);--> statement-breakpoint
ALTER TABLE "qualifiers" ADD CONSTRAINT "qualifiers_modifiers_known" CHECK ("qualifiers"."modifiers" in ('any', 'none'));