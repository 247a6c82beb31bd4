ALTER TABLE "brackets" ADD COLUMN "ruling" jsonb;--> statement-breakpoint
ALTER TABLE "qualifiers" ADD COLUMN "ruling" jsonb;--> statement-breakpoint
-- The view of earlier brackets has the new column, too.
select keep_earlier('brackets', 'r.guid::text', 'r.tournament_guid');
