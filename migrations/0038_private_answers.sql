ALTER TABLE "field_answers" ADD COLUMN "is_private" boolean DEFAULT false NOT NULL;--> statement-breakpoint
-- Of answers that are there already, those are public whose field is. What a field that is left out was, nothing tells.
update field_answers a set is_private = true
where not exists (
  select from teams t join tournaments c on c.guid = t.tournament_guid
    cross join lateral jsonb_array_elements(c.additional_fields) f
  where t.guid = a.team_guid and f->>'guid' = a.field_guid::text and f->>'private' = 'false'
);
