DROP INDEX "pools_name_look";--> statement-breakpoint
CREATE INDEX "award_nominations_without_key" ON "award_nominations" USING btree ("guid") WHERE "award_nominations"."target_key" like E'\n%';--> statement-breakpoint
CREATE INDEX "pools_without_name_key" ON "pools" USING btree ("guid") WHERE "pools"."name_key" like E'\n%';--> statement-breakpoint
ALTER TABLE "pools" DROP COLUMN "name_look";--> statement-breakpoint
-- Names are compared by another rule, which SQL cannot apply: each process that starts gives keys to the rows that lack theirs, before
-- it serves anybody. Until then a team has none, and a pool or a nomination by words has one that no name can have.
UPDATE "teams" SET "name_key" = NULL, "name_look" = NULL;--> statement-breakpoint
UPDATE "pools" SET "name_key" = E'\n' || "guid";--> statement-breakpoint
UPDATE "award_nominations" SET "target_key" = E'\n' || "guid" WHERE "target_guid" IS NULL;
