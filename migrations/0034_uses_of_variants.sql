CREATE TABLE "media_variant_uses" (
	"name" text PRIMARY KEY NOT NULL,
	"used_on" date NOT NULL
);
--> statement-breakpoint
CREATE INDEX "media_variant_uses_day" ON "media_variant_uses" USING btree ("used_on");