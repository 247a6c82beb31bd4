DROP INDEX "updates_order";--> statement-breakpoint
CREATE INDEX "updates_order" ON "updates" USING btree ("tournament_guid","created_at","guid");