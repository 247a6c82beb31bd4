CREATE TABLE "withdrawn_pool_maps" (
	"guid" uuid PRIMARY KEY NOT NULL
);
--> statement-breakpoint
ALTER TABLE "qualifier_maps" ADD COLUMN "pool_map_guid" uuid;--> statement-breakpoint
CREATE INDEX "qualifier_maps_pool_map" ON "qualifier_maps" USING btree ("pool_map_guid") WHERE "qualifier_maps"."pool_map_guid" is not null;--> statement-breakpoint
-- Until now a map that came from a pool went by the GUID that it has there.
UPDATE "qualifier_maps" q SET "pool_map_guid" = q."guid" WHERE EXISTS (SELECT FROM "pool_maps" m WHERE m."guid" = q."guid");
