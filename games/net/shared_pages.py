"""Pages that proxies may answer.

`config.middleware.shared_pages` keeps those of everybody with a cookie from them.
"""

from django.views.decorators.cache import cache_control

for_a_second = cache_control(public=True, max_age=0, s_maxage=1)
"""View decorator: proxies may answer for a second. Browsers ask each time, since people log in and out."""
