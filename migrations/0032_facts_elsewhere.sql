CREATE INDEX "event_log_told" ON "event_log" USING gin ("touches") WITH (fastupdate=false) WHERE "event_log"."type" in ('notice.created', 'notice.deleted', 'notification.created', 'notification.read',
          'invitation.created', 'invitation.declined', 'invitation.revoked', 'award.phase_changed', 'award.published',
          'platform.delivery_failed', 'platform.delivery_recovered');--> statement-breakpoint
CREATE INDEX "event_log_told_of_platform" ON "event_log" USING btree ((after->>'platformGuid'),"seq") WHERE "event_log"."type" in ('visibility.requested', 'visibility.approved', 'visibility.rejected',
          'visibility.withdrawn');