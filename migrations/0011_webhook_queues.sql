ALTER TABLE "webhook_lines" RENAME TO "webhook_queues";--> statement-breakpoint
ALTER TABLE "webhook_queues" RENAME COLUMN "turn" TO "lease";--> statement-breakpoint
ALTER TABLE "webhook_queues" RENAME CONSTRAINT "webhook_lines_platform_guid_channel_pk" TO "webhook_queues_platform_guid_channel_pk";--> statement-breakpoint
ALTER TABLE "webhook_queues" RENAME CONSTRAINT "webhook_lines_platform_guid_platforms_guid_fk" TO "webhook_queues_platform_guid_platforms_guid_fk";--> statement-breakpoint
ALTER TABLE "webhook_queues" RENAME CONSTRAINT "webhook_lines_channel_known" TO "webhook_queues_channel_known";--> statement-breakpoint
ALTER INDEX "webhook_deliveries_line" RENAME TO "webhook_deliveries_queue";--> statement-breakpoint
-- Jobs that wait name what lets them work by its earlier name.
DO $$ BEGIN
  IF to_regclass('graphile_worker._private_jobs') IS NOT NULL THEN
    UPDATE graphile_worker._private_jobs SET payload = ((payload::jsonb - 'turn') || jsonb_build_object('lease', payload->'turn'))::json
    WHERE payload::jsonb ? 'turn';
  END IF;
END $$;
