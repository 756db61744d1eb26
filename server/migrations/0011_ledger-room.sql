-- Half of each page stays free: a back-dated document writes what follows it again in place, without touching an index.
alter table movements set (fillfactor = 50);
