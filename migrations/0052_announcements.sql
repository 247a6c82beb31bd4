-- The deliveries of updates become those of everything that is sent to the chat.
ALTER TABLE "update_deliveries" RENAME TO "chat_deliveries";--> statement-breakpoint
ALTER TABLE "update_parts" RENAME TO "chat_parts";--> statement-breakpoint
ALTER TABLE "chat_parts" DROP CONSTRAINT "update_parts_update_guid_update_deliveries_update_guid_fk";--> statement-breakpoint
ALTER TABLE "chat_deliveries" DROP CONSTRAINT "update_deliveries_update_guid_updates_guid_fk";--> statement-breakpoint
ALTER TABLE "chat_deliveries" RENAME COLUMN "update_guid" TO "guid";--> statement-breakpoint
ALTER TABLE "chat_parts" RENAME COLUMN "update_guid" TO "delivery_guid";--> statement-breakpoint
ALTER TABLE "chat_deliveries" RENAME CONSTRAINT "update_deliveries_pkey" TO "chat_deliveries_pkey";--> statement-breakpoint
ALTER TABLE "chat_deliveries" RENAME CONSTRAINT "update_deliveries_status_known" TO "chat_deliveries_status_known";--> statement-breakpoint
ALTER TABLE "chat_parts" RENAME CONSTRAINT "update_parts_update_guid_index_pk" TO "chat_parts_delivery_guid_index_pk";--> statement-breakpoint
ALTER TABLE "chat_parts" RENAME CONSTRAINT "update_parts_status_known" TO "chat_parts_status_known";--> statement-breakpoint
ALTER TABLE "chat_deliveries" ADD COLUMN "tournament_guid" uuid;--> statement-breakpoint
UPDATE "chat_deliveries" d SET "tournament_guid" = u."tournament_guid" FROM "updates" u WHERE u."guid" = d."guid";--> statement-breakpoint
ALTER TABLE "chat_deliveries" ALTER COLUMN "tournament_guid" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "chat_deliveries" ADD COLUMN "channel" text DEFAULT 'main' NOT NULL;--> statement-breakpoint
ALTER TABLE "chat_deliveries" ADD COLUMN "place" bigint GENERATED ALWAYS AS IDENTITY (sequence name "chat_deliveries_place_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1);--> statement-breakpoint
ALTER TABLE "chat_deliveries" ADD CONSTRAINT "chat_deliveries_tournament_guid_tournaments_guid_fk" FOREIGN KEY ("tournament_guid") REFERENCES "public"."tournaments"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_parts" ADD CONSTRAINT "chat_parts_delivery_guid_chat_deliveries_guid_fk" FOREIGN KEY ("delivery_guid") REFERENCES "public"."chat_deliveries"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "chat_deliveries_of_tournament" ON "chat_deliveries" USING btree ("tournament_guid");--> statement-breakpoint
CREATE INDEX "chat_deliveries_waiting" ON "chat_deliveries" USING btree ("tournament_guid","channel","place") WHERE "chat_deliveries"."status" in ('pending', 'sending');--> statement-breakpoint
-- Jobs that wait have the name of the slice.
do $$ begin
  if to_regclass('graphile_worker._private_tasks') is not null then
    update graphile_worker._private_tasks set identifier = 'chatDeliveries.deliver' where identifier = 'updates.deliver';
  end if;
end $$;--> statement-breakpoint
ALTER TABLE "tournaments" ADD COLUMN "language" text DEFAULT 'en' NOT NULL;--> statement-breakpoint
ALTER TABLE "tournaments" ADD COLUMN "chat_webhooks" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "tournaments" ADD COLUMN "announcements" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "tournaments" ADD COLUMN "announcement_roles" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "matches" ADD COLUMN "called_at" timestamp (3) with time zone;--> statement-breakpoint
-- The view of earlier matches has the new column, too.
select keep_earlier('matches', 'r.guid::text', 'r.tournament_guid');
