-- People who are not here yet: users whom an organiser's sheet names and who have not signed in.
ALTER TABLE "users" ADD COLUMN "is_placeholder" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "made_by_tournament_guid" uuid;--> statement-breakpoint
CREATE INDEX "users_made_by" ON "users" USING btree ("made_by_tournament_guid") WHERE "users"."made_by_tournament_guid" is not null;--> statement-breakpoint
DROP INDEX "users_name_order";--> statement-breakpoint
DROP INDEX "users_preferred_name_order";--> statement-breakpoint
CREATE INDEX "users_name_order" ON "users" USING btree (lower("username") text_pattern_ops,"guid") WHERE "users"."anonymised_at" is null and not "users"."is_placeholder";--> statement-breakpoint
CREATE INDEX "users_preferred_name_order" ON "users" USING btree (lower("preferred_name") text_pattern_ops,"guid") WHERE "users"."anonymised_at" is null and not "users"."is_placeholder";
