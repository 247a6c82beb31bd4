DROP INDEX "teams_name";--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "bio" text DEFAULT '';--> statement-breakpoint
UPDATE "users" SET "bio" = NULL WHERE "description" <> '';--> statement-breakpoint
ALTER TABLE "teams" ADD COLUMN "name_key" text;--> statement-breakpoint
ALTER TABLE "teams" ADD COLUMN "name_look" text;--> statement-breakpoint
CREATE INDEX "users_without_bio" ON "users" USING btree ("guid") WHERE "users"."bio" is null;--> statement-breakpoint
CREATE UNIQUE INDEX "teams_name_key" ON "teams" USING btree ("tournament_guid","name_key");--> statement-breakpoint
CREATE UNIQUE INDEX "teams_name_look" ON "teams" USING btree ("tournament_guid","name_look");--> statement-breakpoint
CREATE INDEX "teams_without_name_key" ON "teams" USING btree ("tournament_guid") WHERE "teams"."name_key" is null;