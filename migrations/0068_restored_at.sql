-- When the tournament was restored from a package: what was due by then is not done here.
alter table tournaments add column restored_at timestamp (3) with time zone;
--> statement-breakpoint
update tournaments t set restored_at = p.at
from (select tournament_guid, max(settled_at) as at from pools where settled_at is not null group by 1) p
where p.tournament_guid = t.guid;
--> statement-breakpoint
alter table pools drop column settled_at;
