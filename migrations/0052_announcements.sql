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
--> statement-breakpoint
CREATE TABLE "announcements" (
	"guid" uuid PRIMARY KEY NOT NULL,
	"tournament_guid" uuid NOT NULL,
	"kind" text NOT NULL,
	"channel" text NOT NULL,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "announcement_matters" (
	"guid" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"tournament_guid" uuid NOT NULL,
	"kind" text NOT NULL,
	"key" text NOT NULL,
	"record_guid" uuid NOT NULL,
	"match_guid" uuid,
	"detail" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"is_delayed" boolean NOT NULL,
	"happened_at" timestamp (3) with time zone NOT NULL,
	"due_at" timestamp (3) with time zone,
	"changed_at" timestamp (3) with time zone,
	"announcement_guid" uuid
);
--> statement-breakpoint
ALTER TABLE "announcements" ADD CONSTRAINT "announcements_tournament_guid_tournaments_guid_fk" FOREIGN KEY ("tournament_guid") REFERENCES "public"."tournaments"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "announcement_matters" ADD CONSTRAINT "announcement_matters_tournament_guid_tournaments_guid_fk" FOREIGN KEY ("tournament_guid") REFERENCES "public"."tournaments"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "announcement_matters" ADD CONSTRAINT "announcement_matters_announcement_guid_announcements_guid_fk" FOREIGN KEY ("announcement_guid") REFERENCES "public"."announcements"("guid") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "announcements_of_tournament" ON "announcements" USING btree ("tournament_guid");--> statement-breakpoint
CREATE INDEX "announcements_age" ON "announcements" USING btree ("created_at");--> statement-breakpoint
CREATE UNIQUE INDEX "announcement_matters_key" ON "announcement_matters" USING btree ("tournament_guid","kind","key");--> statement-breakpoint
CREATE INDEX "announcement_matters_due" ON "announcement_matters" USING btree ("due_at") WHERE "announcement_matters"."due_at" is not null;--> statement-breakpoint
CREATE INDEX "announcement_matters_of_subject" ON "announcement_matters" USING btree ("record_guid","kind");--> statement-breakpoint
CREATE INDEX "announcement_matters_of_announcement" ON "announcement_matters" USING btree ("announcement_guid");
